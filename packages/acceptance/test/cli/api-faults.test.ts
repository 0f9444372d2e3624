import { createClient } from '@svc/client';
import { startMockService } from '@svc/mock-server/testing';
import { expect, test } from 'vitest';
import { svcMock } from '../../src/svc-mock.ts';

test('one failed answer does not make a command use another workspace', async () => {
  await using service = await startMockService();
  const first = service.credentials.find(({ kind }) => kind === 'api_key');
  const svc = createClient({ apiKey: String(first?.credential), baseUrl: service.url });
  await service.faults.add({ target: 'api', match: { path: '/v1/me' }, effect: { status: 503 }, times: 1 });
  expect(await svcMock(service.url, ['endpoints', 'create', 'http://127.0.0.1:9/mine'])).toMatchObject({ status: 0 });
  expect(await svc.webhooks.endpoints.list().collect({ limit: 9 })).toMatchObject([{ url: 'http://127.0.0.1:9/mine' }]);
});

test('an API fault is reported as such', async () => {
  await using service = await startMockService();
  await service.faults.add({ target: 'api', effect: { status: 503 } });
  const { status, stderr } = await svcMock(service.url, ['endpoints', 'list']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^svc-mock: [^\n]*(UNAVAILABLE|503)[^\n]*\n$/);
});
