import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';

const home = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'svc-client-jest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A CommonJS test of a program's own code, with the mock transport. */
const SUITE = `
const { createClient, isApiError } = require('@svc/client');
const { createMockTransport, cutOff, fixtures, pages, rateLimited, refused, silent } = require('@svc/client/testing');

const clientOf = (mock, options) =>
  createClient({ apiKey: 'svc_sk_test_1', baseUrl: mock.baseUrl, fetch: mock.fetch, maxRetries: 0, ...options });

test('responses and pages', async () => {
  const mock = createMockTransport()
    .on('PATCH /v1/workspaces/{workspaceId}', { workspace: fixtures.workspace({ name: 'Acme' }) })
    .on('GET /v1/events', pages([fixtures.event()], [fixtures.event()]));
  const svc = clientOf(mock);
  expect((await svc.workspaces.update('wsp_1', { name: 'Acme' })).name).toBe('Acme');
  expect(await svc.events.list().collect({ limit: 10 })).toHaveLength(2);
  expect(mock.requests[0].body).toEqual({ name: 'Acme' });
});

test.each([
  [refused('CONFLICT'), 'CONFLICT'],
  [rateLimited(60), 'RATE_LIMITED'],
  [cutOff(), 'NETWORK'],
  [silent(), 'TIMEOUT'],
])('failures', async (outcome, code) => {
  const mock = createMockTransport().on('GET /v1/me', outcome);
  const error = await clientOf(mock, { timeoutMs: 500 }).me.retrieve().catch((thrown) => thrown);
  expect(error.code).toBe(code);
  expect(isApiError(error, 'CONFLICT')).toBe(code === 'CONFLICT');
});

test('an abort by the test', async () => {
  const mock = createMockTransport().on('GET /v1/me', silent());
  const controller = new AbortController();
  const call = clientOf(mock).me.retrieve({ signal: controller.signal });
  setTimeout(() => controller.abort(), 10);
  await expect(call).rejects.toMatchObject({ name: 'AbortedError' });
});
`;

function npm(cwd: string, ...argv: string[]): string {
  const { stdout, stderr, status } = spawnSync('npm', argv, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const versions = ['29', '30'];

beforeAll(() => {
  const name = npm(home, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder).trim();
  const dependencies = Object.fromEntries(
    versions.flatMap((version) => [
      [`jest-${version}`, `npm:jest@${version}`],
      [`jsdom-${version}`, `npm:jest-environment-jsdom@${version}`],
    ]),
  );
  const manifest = { private: true, dependencies: { ...dependencies, '@svc/client': `file:${name}` } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'client.test.js'), SUITE);
  npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts');
});

const nodes = (['node-22', 'node-26'] as const).map((name) => ({ name, path: findInstalled(name, 'bin/node') }));

describe.each([{ name: 'this Node', path: process.execPath }, ...nodes])('./testing on $name', ({ name, path }) => {
  if (!path) console.info(`${name} is not installed: npm run runtimes`);

  it.skipIf(!path).each(versions.flatMap((version) => [`node ${version}`, `jsdom-${version} ${version}`]))(
    'works with require in Jest: environment and version %s',
    (both) => {
      const [environment = '', version] = both.split(' ');
      const jest = join(folder, `node_modules/jest-${version}/bin/jest.js`);
      const argv = [
        jest,
        '--json',
        '--env',
        environment === 'node' ? environment : join(folder, 'node_modules', environment),
      ];
      const { stdout, stderr } = spawnSync(String(path), argv, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${dirname(String(path))}:${process.env['PATH']}` },
      });
      expect(JSON.parse(stdout), stderr).toMatchObject({ numPassedTests: 6, numFailedTests: 0 });
    },
  );
});
