import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startServer } from '@svc/mock-server';
import { type MockService, startMockService, type Tenant } from '@svc/mock-server/testing';
import { freePort } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnInTerminal, svcMock, svcMockInTerminal } from '../../src/svc-mock.ts';

let service: MockService;
let tenant: Tenant;
let deliveryId: string;
beforeAll(async () => {
  service = await startMockService();
  tenant = await service.workspace();
  const receiver = await service.receiver();
  receiver.respond({ status: 503 });
  const env = { SVC_API_KEY: tenant.apiKey };
  await svcMock(service.url, ['endpoints', 'create', receiver.url], { env });
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId: tenant.workspaceId });
  deliveryId = String(deliveries[0]?.id);
  await service.waitForIdle();
});
afterAll(() => service.close());

const inTerminal = (columns: number, argv: string[], env: Record<string, string> = {}, input?: string) =>
  svcMockInTerminal(service.url, argv, columns, {
    env: { SVC_API_KEY: tenant.apiKey, ...env },
    ...(input !== undefined && { input }),
  });

describe('In a terminal', () => {
  test('200 columns wide, a list is a table with whole ids, and relative and absolute times', async () => {
    const { status, screen } = await inTerminal(200, ['deliveries', 'list']);
    expect(status).toBe(0);
    const [head = '', row = ''] = stripVTControlCharacters(screen).split('\n');
    expect(head.split(/ {2,}/)).toEqual(['ID', 'EVENT TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'ENDPOINT', 'CREATED']);
    expect(row.split(/ {2,}/)).toEqual([
      deliveryId,
      'lifecycle.evaluated',
      'pending',
      '1',
      'HTTP 503',
      expect.stringMatching(/^whe_\w{26}$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z \((now|[\w ]+ ago)\)$/),
    ]);
  });

  test.each([60, 80])('%i columns wide, each item is a block of lines that fit', async (columns) => {
    const { screen } = await inTerminal(columns, ['deliveries', 'list']);
    const lines = stripVTControlCharacters(screen).trimEnd().split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual([
      'ID',
      'EVENT TYPE',
      'STATUS',
      'ATTEMPTS',
      'LAST',
      'ENDPOINT',
      'CREATED',
    ]);
    expect(lines[0]).toMatch(new RegExp(` ${deliveryId}$`));
  });

  test('colours show, except with NO_COLOR', async () => {
    const coloured = '\u001b[36mpending';
    expect((await inTerminal(200, ['deliveries', 'list'])).screen).toContain(coloured);
    const plain = (await inTerminal(200, ['deliveries', 'list'], { NO_COLOR: '1' })).screen;
    expect(plain).toBe(stripVTControlCharacters(plain));
    const piped = await svcMock(service.url, ['deliveries', 'list'], { env: { SVC_API_KEY: tenant.apiKey } });
    expect(piped.stdout).toBe(stripVTControlCharacters(piped.stdout));
  });

  test('a move of the clock and a replay of many show a progress bar', async () => {
    await using own = await startMockService();
    const { screen } = await svcMockInTerminal(own.url, ['clock', 'advance', '3d'], 80);
    expect(stripVTControlCharacters(screen)).toMatch(/Moving the clock [█░]+ \d+%/);
    const replayed = await inTerminal(120, ['deliveries', 'replay', '--status', 'pending', '--yes']);
    expect(stripVTControlCharacters(replayed.screen)).toMatch(/Replaying [█░]+ 100%/);
  });

  test.each([
    ['n\n', 1, 'svc-mock: Nothing was replayed.'],
    ['y\n', 0, /Replayed (\d) of \1 deliver/],
  ] as const)('a replay of many asks first, and follows the response %j', async (input, status, says) => {
    const answered = await inTerminal(120, ['deliveries', 'replay', '--status', 'pending'], {}, input);
    const text = stripVTControlCharacters(answered.screen);
    expect(text).toMatch(/Replay \d+ deliver(y|ies)\? \[y\/N\]/);
    expect(text).toMatch(says);
    expect(answered.status).toBe(status);
  });

  test.each([
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ])('%s at a question means no, in one line', async (_, key) => {
    const child = spawnInTerminal(service.url, ['reset'], 120);
    let screen = '';
    child.stdout?.on('data', (piece) => {
      const isAsked = screen.includes('[y/N]');
      screen += stripVTControlCharacters(String(piece));
      if (!isAsked && screen.includes('[y/N]')) child.stdin?.write(key);
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(screen).toMatch(/\[y\/N\] \s*svc-mock: Nothing was deleted\.\s*$/);
  });

  test.each([
    [['reset'], 'n\n', 1, 'svc-mock: Nothing was deleted.'],
    [['reset'], 'y\n', 0, 'svc_sk_test_demo_acme_production'],
    [['reset', '--yes'], '', 0, 'svc_sk_test_demo_acme_production'],
  ])('%j asks first, without --yes, and follows the response %j', async (argv, input, status, says) => {
    await using own = await startMockService();
    const tenant = await own.workspace();
    const isKept = async () =>
      (await fetch(`${own.url}/v1/me`, { headers: { authorization: `Bearer ${tenant.apiKey}` } })).ok;
    const answered = await svcMockInTerminal(own.url, argv, 120, { input });
    const text = stripVTControlCharacters(answered.screen);
    expect(text.includes(`Delete everything on ${own.url}? [y/N]`)).toBe(!argv.includes('--yes'));
    expect(text).toContain(says);
    expect([answered.status, await isKept()]).toEqual([status, status === 1]);
  });
});

/** Every command that talks to the server, with valid arguments. */
const COMMANDS = [
  ['open'],
  ['whoami'],
  ['trigger', 'lifecycle.evaluated'],
  ['listen', '--forward-to', 'http://127.0.0.1:9/'],
  ['deliveries', 'list'],
  ['deliveries', 'show', 'whd_x'],
  ['deliveries', 'replay', 'whd_x'],
  ['deliveries', 'wait', 'whd_x'],
  ['deliveries', 'tail'],
  ['endpoints', 'list'],
  ['endpoints', 'show', 'whe_x'],
  ['endpoints', 'create', 'http://127.0.0.1:9/'],
  ['endpoints', 'update', 'whe_x', '--active', 'false'],
  ['endpoints', 'delete', 'whe_x', '--yes'],
  ['endpoints', 'rotate', 'whe_x'],
  ['endpoints', 'test', 'whe_x'],
  ['events', 'list'],
  ['events', 'show', 'evt_x'],
  ['workspaces', 'list'],
  ['keys', 'create', '--workspace', 'wsp_x'],
  ['keys', 'revoke', 'key_x'],
  ['tokens', 'create', '--user', 'usr_x'],
  ['tokens', 'revoke', 'pat_x'],
  ['clock', 'show'],
  ['clock', 'advance', '1h'],
  ['clock', 'set', '2099-01-01T00:00:00Z'],
  ['clock', 'freeze'],
  ['clock', 'reset'],
  ['faults', 'list'],
  ['faults', 'add', 'api', '--status', '500'],
  ['faults', 'clear'],
  ['snapshot', 'save', 'x'],
  ['snapshot', 'restore', 'x', '--yes'],
  ['snapshot', 'list'],
  ['snapshot', 'delete', 'x', '--yes'],
  ['reset', '--yes'],
  ['export', join(tmpdir(), 'svc-never-written.ndjson')],
  ['doctor', '--delivery', 'whd_x'],
];
const ofControl = (argv: readonly string[]) => /^(clock|faults|snapshot|reset|export|keys|tokens)$/.test(argv[0] ?? '');

describe('Every command', () => {
  test.each(COMMANDS)('%s %s: prints one line and ends with exit code 2 if the server is down', async (...argv) => {
    const { status, stdout, stderr } = await svcMock(`http://127.0.0.1:${await freePort()}`, argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^svc-mock: Cannot reach the server [^\n]+ Start it with: svc-mock start\n$/);
  });

  test.each(COMMANDS.filter((argv) => argv[0] !== 'open'))(
    '%s %s: prints one line and ends with exit code 2 for a wrong credential',
    async (...argv) => {
      await using guarded = await startServer({
        port: 0,
        dataDir: null,
        adminToken: 'the-right-admin-token-of-the-server',
        logLevel: 'silent',
      });
      const wrong = {
        SVC_ADMIN_TOKEN: 'wrong',
        SVC_API_KEY: argv[0] === 'workspaces' ? 'svc_pat_test_wrong' : 'svc_sk_test_wrong',
      };
      const { status, stdout, stderr } = await svcMock(guarded.url, argv, { env: wrong });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(
        ofControl(argv)
          ? /^svc-mock: The server requires its admin token: pass --admin-token <token>, or set SVC_ADMIN_TOKEN\.\n$/
          : /^svc-mock: [^\n]+\(UNAUTHENTICATED\)\n$|admin token/,
      );
    },
  );

  test.each([
    ['clock'],
    ['reset', '--yes'],
    ['profiles', 'import', '-', '--workspace', 'wsp_x'],
    ['export', join(tmpdir(), 'svc-never-written.ndjson')],
  ])('%s %s: names the option and the variable for the admin token if none is given', async (...argv) => {
    await using guarded = await startServer({
      port: 0,
      dataDir: null,
      adminToken: 'the-right-admin-token-of-the-server',
      logLevel: 'silent',
    });
    expect(await svcMock(guarded.url, argv)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'svc-mock: The server requires its admin token: pass --admin-token <token>, or set SVC_ADMIN_TOKEN.\n',
    });
  });

  test.each(COMMANDS)('%s %s: has help with two examples', async (...argv) => {
    const names = argv[1] !== undefined && /^[a-z]+$/.test(argv[1]) ? argv.slice(0, 2) : argv.slice(0, 1);
    const { status, stdout } = await svcMock(service.url, [...names, '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\nExamples:\n {2}svc-mock [^\n]+\n {2}svc-mock [^\n]+\n/);
  });
});

test.each(['bash', 'zsh', 'fish'])('svc-mock completion %s prints a script', async (shell) => {
  const { status, stdout } = await svcMock(service.url, ['completion', shell]);
  expect(status).toBe(0);
  expect(stdout).toContain('svc-mock');
});

test('The completion of a word lists the commands and options that start with it', async () => {
  const { stdout } = await svcMock(service.url, ['complete', '--', 'deliveries', 'li']);
  expect(stdout).toContain('list');
  const { stdout: options } = await svcMock(service.url, ['complete', '--', 'deliveries', 'list', '--st']);
  expect(options).toContain('--status');
});

test('An unknown shell is rejected', async () => {
  expect((await svcMock(service.url, ['completion', 'cmd'])).status).not.toBe(0);
});
