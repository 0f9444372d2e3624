import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createControlClient } from '@svc/mock-server/testing';
import { root, startProcess, TEST_MAX_MS } from '@svc/testing';
import { createDatabase, dropDatabases, startCluster, type TestPostgres } from '@svc/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnSvcMock, svcMock } from '../../src/svc-mock.ts';

/** The number of deliveries in the backlog. `BACKLOG=100000` moves the number that the specification names. */
const BACKLOG = Number(process.env['BACKLOG'] ?? 2_000);
const BACKLOG_MAX_MS = TEST_MAX_MS + BACKLOG * 30;

const cleanup = new AsyncDisposableStack();
let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-transfer-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const url = named ?? cleanup.use(await startCluster()).url;
  postgres = { url, prefix: `svc_transfer_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
});
afterAll(() => cleanup.disposeAsync());

const offline = (...argv: string[]) => svcMock('http://127.0.0.1:9', argv);
const WORKSPACE = 'wsp_01DEM00000000000000PR0D000';

/** A receiver that takes and counts the first `takesMax` deliveries, and refuses the rest. */
async function startTaker(takesMax: number) {
  const taken = new Map<string, number>();
  const state = { takesMax };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const takes = taken.size < state.takesMax;
      const id = String(request.headers['webhook-id']);
      if (takes) taken.set(id, (taken.get(id) ?? 0) + 1);
      response.writeHead(takes ? 204 : 503).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => void server.closeAllConnections());
  cleanup.defer(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, taken, state };
}

/** The data of a server on which half of a backlog is delivered, and the rest waits for a retry. */
async function halfDelivered(options: string[]) {
  const taker = await startTaker(BACKLOG / 2);
  await using server = await startProcess([...options, '--no-rate-limit']);
  const { url } = server.ready;
  const control = createControlClient({ baseUrl: url });
  await control.changeClock({ freeze: true });
  const created = await svcMock(url, ['endpoints', 'create', taker.url, '--json']);
  const { endpoint, secret } = JSON.parse(created.stdout) as { endpoint: { id: string }; secret: { secret: string } };
  for (let made = 0; made < BACKLOG; made += 1_000) {
    const events = Array.from({ length: Math.min(1_000, BACKLOG - made) }, () => ({
      workspaceId: WORKSPACE,
      type: 'lifecycle.evaluated',
    }));
    await control.createEvents({ events });
  }
  await control.settle({ timeoutMs: 600_000 });
  const { nextDueAt } = await control.settle();
  expect(taker.taken.size).toBe(BACKLOG / 2);
  await server.end('SIGTERM');
  return { taker, endpointId: endpoint.id, secret: secret.secret, nextDueAt };
}

/** Delivers the rest of the backlog from its new place, and compares. */
async function continues(
  options: string[],
  { taker, endpointId, secret, nextDueAt }: Awaited<ReturnType<typeof halfDelivered>>,
) {
  await using server = await startProcess([...options, '--no-rate-limit']);
  const control = createControlClient({ baseUrl: server.ready.url });
  expect((await control.settle()).nextDueAt).toBe(nextDueAt);
  taker.state.takesMax = Number.POSITIVE_INFINITY;
  expect((await control.changeClock({ advance: '5m' })).ran.attempts).toBe(BACKLOG / 2);
  // Nothing is lost, and nothing that had ended is sent twice.
  expect(taker.taken.size).toBe(BACKLOG);
  expect([...taker.taken.values()].every((times) => times === 1)).toBe(true);
  const [delivery] = JSON.parse(
    (await svcMock(server.ready.url, ['deliveries', 'list', '--limit', '1', '--json'])).stdout,
  );
  expect(await svcMock(server.ready.url, ['doctor', '--delivery', delivery.id, '--secret', secret])).toMatchObject({
    status: 0,
  });
  const pending = await svcMock(server.ready.url, [
    'deliveries',
    'list',
    '--endpoint',
    endpointId,
    '--status',
    'pending',
    '--json',
  ]);
  expect(JSON.parse(pending.stdout)).toEqual([]);
}

describe('A half-delivered backlog', () => {
  test(
    'moves from SQLite to PostgreSQL and continues there',
    async () => {
      const from = join(folder, 'sqlite');
      const backlog = await halfDelivered(['--data', from]);
      const file = join(folder, 'from-sqlite.ndjson.gz');
      const exported = await offline('export', file, '--data', from, '--json');
      expect(exported).toMatchObject({ status: 0, stderr: '' });
      expect(JSON.parse(exported.stdout)).toMatchObject({ masterKey: false, rows: expect.any(Number) });
      const to = ['--data', join(folder, 'key-of-postgres'), '--database', await createDatabase(postgres)];
      expect(await offline('import', file, ...to)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('does not contain its master key'),
      });
      mkdirSync(join(folder, 'key-of-postgres'));
      copyFileSync(join(from, 'master.key'), join(folder, 'key-of-postgres/master.key'));
      const imported = await offline('import', file, ...to, '--json');
      expect(imported).toMatchObject({ status: 0, stderr: '' });
      expect(JSON.parse(imported.stdout)).toMatchObject({
        tables: { deliveries: BACKLOG, delivery_queue: BACKLOG / 2 },
      });
      await continues(to, backlog);
    },
    BACKLOG_MAX_MS,
  );

  test(
    'moves from PostgreSQL to SQLite, with the master key, and continues there',
    async () => {
      const keys = join(folder, 'keys');
      const from = ['--data', keys, '--database', await createDatabase(postgres)];
      const backlog = await halfDelivered(from);
      const file = join(folder, 'from-postgres.ndjson');
      const exported = await offline('export', file, ...from, '--with-master-key');
      expect(exported).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^Exported [^\n]+\n$/),
        stderr: expect.stringContaining('The file contains the master key'),
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const to = join(folder, 'from-postgres');
      expect(await offline('import', file, '--data', to)).toMatchObject({ status: 0 });
      expect(statSync(join(to, 'master.key')).mode & 0o777).toBe(0o600);
      await continues(['--data', to], backlog);
    },
    BACKLOG_MAX_MS,
  );
});

describe('svc-mock export and import', () => {
  let file: string;
  let text: string;
  let key: string;
  beforeAll(async () => {
    const data = join(folder, 'small');
    await using server = await startProcess(['--data', data]);
    file = join(folder, 'small.ndjson');
    expect(await svcMock(server.ready.url, ['export', file])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Exported [^\n]+\nThe file does not contain the master key\. [^\n]+\n$/),
    });
    await server.end('SIGTERM');
    text = readFileSync(file, 'utf8');
    key = join(data, 'master.key');
  });

  test('the export of a running server is the same as the export of its data folder', async () => {
    const again = join(folder, 'again.ndjson');
    await offline('export', again, '--data', join(folder, 'small'));
    expect(readFileSync(again, 'utf8')).toBe(text);
    expect(text).not.toContain(readFileSync(key, 'utf8').trim());
    expect(text).toContain('This file does not contain the master key.');
  });

  test.each(['-', '/dev/stdout'])('an export to a pipe contains nothing but the export: %s', async (name) => {
    const command = `node mock-server/dist/main.js export ${name} --data '${join(folder, 'small')}' | cat`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
    expect(stdout).toBe(text);
    expect(stderr).toMatch(/^Exported \d+ rows\.\nThe file does not contain the master key\./);
  });

  test('an export to a file to which the shell appends keeps what the file contains', async () => {
    const target = join(folder, 'appended.txt');
    const command = `(echo before; node mock-server/dist/main.js export - --data '${join(folder, 'small')}'; echo after) >> '${target}'`;
    writeFileSync(target, 'old\n');
    await promisify(execFile)('sh', ['-c', command], { cwd: root });
    expect(readFileSync(target, 'utf8')).toBe(`old\nbefore\n${text}after\n`);
  });

  test('an export is imported from a pipe', async () => {
    const data = emptyFolder('piped');
    const command = `node mock-server/dist/main.js import - --data '${data}' < '${file}'`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
    expect(stdout).toMatch(/Imported \d+ rows from -\.\n$/);
  });

  test('an export to a socket contains nothing but the export', async () => {
    const argv = ['mock-server/dist/main.js', 'export', '-', '--data', join(folder, 'small')];
    const { stdout } = await promisify(execFile)('node', argv, { cwd: root });
    expect(stdout).toBe(text);
  });

  /** A data folder that has only the key. */
  function emptyFolder(name: string): string {
    const data = join(folder, name);
    mkdirSync(data);
    copyFileSync(key, join(data, 'master.key'));
    return data;
  }

  test('another master key is rejected', async () => {
    const data = emptyFolder('other key');
    writeFileSync(join(data, 'master.key'), `${Buffer.alloc(32, 9).toString('base64')}\n`);
    expect(await offline('import', file, '--data', data)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The master key does not belong to this export'),
    });
  });

  test('arguments that cannot work are rejected in one line', async () => {
    for (const argv of [
      ['import', file],
      ['import', join(folder, 'none.ndjson'), '--data', folder],
      ['import', folder, '--data', join(folder, 'x')],
      ['export', join(folder, 'x.ndjson'), '--data', join(folder, 'nowhere')],
      ['export', join(folder, 'x.ndjson'), '--with-master-key'],
      ['export', '/nowhere/x.ndjson', '--data', join(folder, 'small')],
    ]) {
      const { status, stderr } = await offline(...argv);
      expect([argv, status]).toEqual([argv, 2]);
      expect(stderr).toMatch(/^svc-mock: [^\n]+\n$/);
    }
    expect(existsSync(join(folder, 'x.ndjson'))).toBe(false);
  });

  /** A program that is not svc-mock. It answers every request with this. */
  async function startOther(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.defer(() => void server.closeAllConnections());
    cleanup.defer(() => void server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  test.each([
    ['a page', () => '<html>\n<body>\n</body>\n', 'is not an export'],
    ['JSON of another kind', () => '{"ok":true}', 'is not an export'],
    ['nothing', () => '', 'is not an export'],
    ['a long line', () => 'x'.repeat(100_000), 'is not an export'],
    ['an export without its last line', () => text.slice(0, text.lastIndexOf('\n{') + 1), 'before its last line'],
    ['an export and more', () => `${text}{"table":"users","row":{}}\n`, 'before its last line'],
  ])('export rejects %s, in one line, and leaves no file', async (_name, make, says) => {
    const url = await startOther((_request, response) => void response.end(make()));
    const into = mkdtempSync(join(folder, 'rejected-'));
    const { status, stdout, stderr } = await svcMock(url, ['export', join(into, 'x.ndjson')]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^svc-mock: [^\n]+\n$/);
    expect(stderr).toContain(says);
    expect(readdirSync(into)).toEqual([]);
  });

  test('export accepts a whole export that another program passes on', async () => {
    const url = await startOther((_request, response) => void response.end(text));
    const passedOn = join(folder, 'passed on.ndjson');
    expect(await svcMock(url, ['export', passedOn])).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(passedOn, 'utf8')).toBe(text);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s during an export ends it and leaves no file', async (signal) => {
    // The rest of the export never arrives.
    const url = await startOther((_request, response) => void response.write(text.slice(0, -10)));
    const into = mkdtempSync(join(folder, 'stopped-'));
    const child = spawnSvcMock(url, ['export', join(into, 'x.ndjson')]);
    const ended = once(child, 'close');
    await expect.poll(() => readdirSync(into)).toEqual([expect.stringMatching(/^x\.ndjson\.[\w-]+\.part$/)]);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(into)).toEqual([]);
  });

  /** The lines of an export with 50,000 more users. */
  function largeExport(): string[] {
    const lines = text.trimEnd().split('\n');
    const users = Array.from({ length: 50_000 }, (_none, n) =>
      JSON.stringify({ table: 'users', row: { id: `usr_${n}`, email: `${n}@x.test`, name: 'X', created_at: 0 } }),
    );
    const at = lines.findIndex((line) => line.startsWith('{"table":"workspaces"'));
    const all = [...lines.slice(0, at), ...users, ...lines.slice(at, -1)];
    return [...all, JSON.stringify({ end: true, rows: all.length - 1 })];
  }

  /** Starts an import and kills it at this moment. */
  async function killImport(from: string, place: string[], moment: () => Promise<void>): Promise<void> {
    const child = spawnSvcMock('http://127.0.0.1:9', ['import', from, ...place]);
    const ended = once(child, 'close');
    const early = ended.then(([code]) => {
      throw new Error(`The import ended with ${code} before it could be killed.`);
    });
    await Promise.race([moment(), early]);
    early.catch(() => {});
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  }

  /** Imports the valid file, and expects that nothing else is there. */
  async function expectEmpty(place: string[]): Promise<void> {
    expect(await offline('import', file, ...place)).toMatchObject({ status: 0, stderr: '' });
    expect(await exportOf(place)).toBe(text);
  }

  async function exportOf(place: string[]): Promise<string> {
    const again = join(folder, 'after the kill.ndjson');
    expect(await offline('export', again, ...place)).toMatchObject({ status: 0 });
    return readFileSync(again, 'utf8');
  }

  /** Waits until the log of a SQLite database has reached a size. */
  const logHas = (data: string, bytes: number) => async () => {
    const log = join(data, 'svc-mock.sqlite-wal');
    while (!existsSync(log) || statSync(log).size < bytes) await new Promise(setImmediate);
  };

  function writeLargeExport(): string {
    const large = join(folder, 'large.ndjson');
    writeFileSync(large, `${largeExport().join('\n')}\n`);
    return large;
  }

  test('a kill -9 during an import, while it creates the tables, leaves an empty SQLite database', async () => {
    const data = emptyFolder('killed early');
    await killImport(writeLargeExport(), ['--data', data], logHas(data, 1));
    await expectEmpty(['--data', data]);
  });

  test.each(['SQLite', 'PostgreSQL'])(
    'a kill -9 during an import, while it writes rows, leaves an empty %s database',
    async (kind) => {
      const place = ['--data', emptyFolder(`killed on ${kind}`)];
      if (kind === 'PostgreSQL') place.push('--database', await createDatabase(postgres));
      const pipe = join(folder, `pipe of ${kind}`);
      execFileSync('mkfifo', [pipe]);
      await using writer = await open(pipe, 'r+');
      // A pipe holds 64 KiB. The import has read everything before that and waits for the last line, which never
      // arrives.
      await killImport(pipe, place, () => writer.writeFile(`${largeExport().slice(0, -1).join('\n')}\n`));
      await expectEmpty(place);
    },
  );

  test('a kill -9 during an import, while it commits, leaves an empty SQLite database or a whole one', async () => {
    const data = emptyFolder('killed late');
    await killImport(writeLargeExport(), ['--data', data], logHas(data, 1_000_000));
    const { status, stdout, stderr } = await offline('export', join(folder, 'late.ndjson'), '--data', data, '--json');
    if (status === 2) {
      expect(stderr).toContain('There is no data in');
      await expectEmpty(['--data', data]);
    } else {
      // The first line is the header, and the last one says how many rows there are.
      expect(JSON.parse(stdout)).toMatchObject({ rows: largeExport().length - 2 });
    }
  });
});
