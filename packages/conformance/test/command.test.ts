import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@svc/mock-server';
import { freePort } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../src/command.ts';
import { statements } from '../src/statements.ts';
import { startUsedService, type UsedService } from './support/service.ts';

interface Shown {
  id: string;
  source: string;
  needs: string;
  outcome: string;
  reason: string | null;
}

async function run(...argv: string[]) {
  let stdout = '';
  let stderr = '';
  const status = await runCommand(
    argv,
    {},
    (text) => {
      stdout += text;
    },
    (text) => {
      stderr += text;
    },
  );
  return { status, stdout, stderr };
}

let folder: string;
let service: UsedService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-conformance-'));
  service = await startUsedService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe('Without the control API', () => {
  test('every statement that needs none holds in a workspace in use, and leaves it as it was', async () => {
    const before = await service.contents();
    const { status, stdout } = await run(
      '--url',
      service.url,
      '--api-key',
      service.apiKey,
      '--token',
      service.token,
      '--json',
    );
    const shown = JSON.parse(stdout).statements as Shown[];
    expect(shown.filter(({ outcome }) => outcome === 'fail' || outcome === 'differs')).toEqual([]);
    expect(status).toBe(0);
    expect(
      shown.filter(({ outcome }) => outcome === 'not testable').map(({ needs, reason }) => [needs, reason]),
    ).toEqual(
      statements.filter(({ needs }) => needs === 'control').map(() => ['control', 'needs the control API (--control)']),
    );
    expect(shown.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(40);
    expect(await service.contents()).toEqual(before);
  });

  test('and without a token, the statements that need one are not testable', async () => {
    const { status, stdout } = await run('--url', service.url, '--api-key', service.apiKey, '--only', 'expand.');
    expect(status).toBe(0);
    expect(stdout).toMatch(/not testable {2}expand\.trim.*\n +needs a personal access token \(--token\)\n/);
    expect(stdout).toContain('0 of 4 statements were checked.');
  });
});

describe('With the control API', () => {
  test('a statement of every section is checked, and --junit writes the results', async () => {
    await using server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
    const file = join(folder, 'results.xml');
    const only = [...Map.groupBy(statements, ({ section }) => section).values()].flatMap(([first]) => [
      '--only',
      String(first?.id),
    ]);
    const control = `${server.url}/_control`;
    const { status, stdout } = await run('--url', `${server.url}/`, '--control', control, '--junit', file, ...only);
    expect([status, stdout.match(/not testable|FAIL|differs /g)]).toEqual([0, ['differs ', 'not testable']]);
    expect(readFileSync(file, 'utf8')).toMatch(/<testsuites name="[^"]+" tests="\d+" failures="0" skipped="0">/);
  });
});

describe('A service that cannot be used', () => {
  test.each([
    [
      'an address where nobody listens',
      async () => ['--url', `http://127.0.0.1:${await freePort()}`, '--api-key', 'svc_sk_x'],
      /Cannot reach .*ECONNREFUSED/,
    ],
    [
      'an address of something else',
      async () => ['--url', `${service.url}/other`, '--api-key', service.apiKey],
      /responded with 404 .* Check that --url is the base address/,
    ],
    ['a wrong API key', async () => ['--url', service.url, '--api-key', 'svc_sk_x'], /rejected the API key \(401\)/],
    [
      'a wrong token',
      async () => ['--url', service.url, '--api-key', service.apiKey, '--token', 'svc_pat_x'],
      /rejected the token \(401\)/,
    ],
    [
      'no control API',
      async () => ['--url', service.url, '--control', `${service.url}/none`],
      /Cannot use the control API at/,
    ],
    [
      'an id of no statement',
      async () => ['--url', service.url, '--api-key', service.apiKey, '--only', 'x.'],
      /begins with "x\."/,
    ],
    [
      'a file that cannot be written',
      async () => ['--url', service.url, '--api-key', service.apiKey, '--junit', folder],
      /Cannot write/,
    ],
  ])('%s: the command says so and ends with 2', async (_what, argv, message) => {
    const { status, stdout, stderr } = await run(...(await argv()));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain('Run svc-conformance --help for help.');
  });

  test('a control API that needs a token: the command asks for it, and takes it', async () => {
    const adminToken = 'a-token-of-at-least-32-characters-in-all';
    await using server = await startServer({ port: 0, dataDir: null, logLevel: 'silent', adminToken });
    const argv = ['--url', server.url, '--control', `${server.url}/_control`, '--only', 'lists.keyset'];
    expect(await run(...argv)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Pass the admin token with --admin-token'),
    });
    expect(await run(...argv, '--admin-token', 'wrong')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Check --admin-token'),
    });
    expect((await run(...argv, '--admin-token', adminToken)).status).toBe(0);
  });
});

test('--help and --version print to standard output', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  expect(await run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: svc-conformance') });
  expect(await run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});
