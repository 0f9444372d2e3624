import { expect, test } from 'vitest';
import { readyText } from '../../../../src/cli/start/ready.ts';
import { DEFAULT_CONFIG, type Server, type ServerConfig } from '../../../../src/index.ts';
import { TEST_ADMIN_TOKEN } from '../../../support/api.ts';

const textOf = (options: Partial<ServerConfig>, credentials: Server['credentials'] = []) =>
  readyText({ ...DEFAULT_CONFIG, ...options }, { url: 'http://127.0.0.1:4010', credentials } as Server);

test('a strict server without an admin token says that the control API is closed and how to get tenants', () => {
  const text = textOf({ strict: true });
  expect(text).toContain('control API  closed: it requires --admin-token');
  expect(text).toContain('--seed <file>');
  expect(text).not.toContain('/_control');
  expect(text.trim()).not.toMatch(/\n\n\n/);
});

test('a strict server with an admin token, with or without a seed, and a local server name the control API', () => {
  const strict = textOf({ strict: true, adminToken: TEST_ADMIN_TOKEN });
  expect(strict).toContain('http://127.0.0.1:4010/_control');
  expect(strict).toContain('through the control API, with the admin token.');
  expect(strict).not.toContain('--admin-token');
  expect(textOf({ strict: true, adminToken: TEST_ADMIN_TOKEN, seed: {} })).not.toContain('--seed');
  const key = { kind: 'api_key', name: 'One', credential: 'svc_sk_test_x', workspaceId: 'wsp_1', role: null } as const;
  const local = textOf({}, [key]);
  expect(local).toContain('http://127.0.0.1:4010/_control');
  expect(local).toContain('One  svc_sk_test_x');
  expect(local.trim()).not.toMatch(/\n\n\n/);
});

test('a server whose data has no known credentials says how to create one', () => {
  const text = textOf({ host: '0.0.0.0', adminToken: TEST_ADMIN_TOKEN });
  expect(text).toContain('generated credentials are shown only once');
  expect(text).toContain('npx @svc/mock-server keys create');
  expect(textOf({ seed: {} })).not.toContain('keys create');
});
