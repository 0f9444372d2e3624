import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@svc/testing/postgres';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { readyLine } from '../../src/cli/start/ready.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { ConfigError, type ServerConfig, startServer } from '../../src/index.ts';
import { serverProblem } from '../../src/storage/postgres/prepare.ts';
import { failure, startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { openPostgres } from '../support/open-postgres.ts';

const start = (options: Partial<ServerConfig>) =>
  startServer({ port: 0, dataDir: null, logLevel: 'silent', masterKey: TEST_MASTER_KEY, ...options });

/** Returns the message with which the start is refused. */
async function refusal(options: Partial<ServerConfig>): Promise<string> {
  const error = await start(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
}

describe('Servers that start at the same time on an empty PostgreSQL', () => {
  test('migrate and seed it only once', async () => {
    const url = await createDatabase(inject('postgres'));
    await using cleanup = new AsyncDisposableStack();
    const seed = {
      organizations: [{ slug: 'solo', name: 'Solo', workspaces: [{ slug: 'w', name: 'W', apiKeys: [{}] }] }],
    };
    const servers = await Promise.all([1, 2, 3, 4].map(() => start({ databaseUrl: url, seed })));
    for (const server of servers) cleanup.use(server);
    await using storage = await openPostgres(url);
    const { rows } = await storage.read((queries) =>
      sql<{ organizations: number; keys: number }>`
        select (select count(*) from organizations) as organizations, (select count(*) from credentials) as keys`.execute(
        queries,
      ),
    );
    expect(rows).toEqual([{ organizations: 1, keys: 1 }]);
    // Only the server that seeded the database knows the generated key, but all servers accept it.
    const [issued, ...others] = servers.flatMap((server) => server.credentials);
    expect(others).toEqual([]);
    for (const server of servers) {
      const answer = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${issued?.credential}` } });
      expect(answer.status).toBe(200);
    }
  });

  test('all know the credentials of the demo seed', async () => {
    await using database = await createTestDatabase();
    await using one = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    await using two = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    expect(two.server.credentials).toEqual(one.server.credentials);
    expect(two.server.credentials.length).toBeGreaterThan(0);
  });

  test('accept no demo credential if strict, even if a local server on the same database seeds the demo tenants', async () => {
    await using database = await createTestDatabase();
    const options = { databaseUrl: database.url, masterKey: TEST_MASTER_KEY };
    await using strict = await startApi({ ...options, strict: true });
    await using local = await startApi(options);
    expect(local.server.credentials.length).toBeGreaterThan(0);
    for (const { credential } of local.server.credentials) {
      expect((await local.call('GET', '/v1/me', { credential })).status).toBe(200);
      expect(await strict.call('GET', '/v1/me', { credential })).toMatchObject({
        status: 401,
        body: failure(
          'UNAUTHENTICATED',
          'The demo credentials do not work on this server, because everyone knows them.',
        ),
      });
    }
  });
});

describe('The schema on PostgreSQL', () => {
  test('sorts every text by its bytes', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    const { rows } = await storage.read((queries) =>
      sql<{ found: string }>`
        select attrelid::regclass || '.' || attname as found from pg_attribute
        join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
          and atttypid = 'text'::regtype and attcollation not in ('"C"'::regcollation, '"POSIX"'::regcollation)`.execute(
        queries,
      ),
    );
    expect(rows).toEqual([]);
  });
});

describe('A start fails with one line that does not show the credentials of the URL, if', () => {
  const secret = { user: 'maria', password: 'p4ssw0rd' };

  test('the URL is not valid', async () => {
    const urls = [
      'mysql://maria:p4ssw0rd@db/x',
      'maria:p4ssw0rd',
      'localhost:5432',
      // These passwords contain a character that must be encoded.
      'postgres://maria:12/p4ssw0rd@db/x',
      'postgres://maria:12#p4ssw0rd@db/x',
      'postgres://maria:%zzp4ssw0rd@db/x',
      'postgres://maria:p4ssw0rd@db/x?port=abc',
    ];
    for (const databaseUrl of urls) {
      const message = await refusal({ databaseUrl });
      expect(message).toMatch(/^The database must be a URL such as postgres:/);
      expect(message).not.toMatch(/maria|p4ssw0rd/);
    }
  });

  test('nothing listens at the address', async () => {
    const message = await refusal({ databaseUrl: `postgres://${secret.user}:${secret.password}@127.0.0.1:1/app` });
    expect(message).toMatch(/^Cannot use the database 127\.0\.0\.1:1\/app: .*ECONNREFUSED/);
    expect(message).not.toMatch(/maria|p4ssw0rd/);
  });

  test('the user name is also part of other words, which are not redacted', async () => {
    const message = await refusal({ databaseUrl: 'postgres://e:p4ss@127.0.0.1:1/app' });
    expect(message).toBe('Cannot use the database 127.0.0.1:1/app: connect ECONNREFUSED 127.0.0.1:1');
  });

  test('the address never answers', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    const { port } = mute.address() as { port: number };
    expect(await refusal({ databaseUrl: `postgres://maria@127.0.0.1:${port}/app` })).toMatch(/time/);
    mute.close();
  });

  test('the database does not exist', async () => {
    const url = new URL(inject('postgres').url);
    url.pathname = '/svc_test_nowhere';
    expect(await refusal({ databaseUrl: url.href })).toMatch(/: database "svc_test_nowhere" does not exist/);
  });

  test('the user does not exist', async () => {
    const url = new URL(inject('postgres').url);
    Object.assign(url, { username: secret.user, password: secret.password });
    const message = await refusal({ databaseUrl: url.href });
    expect(message).toMatch(/rejects the user or the password/);
    expect(message).not.toMatch(/maria|p4ssw0rd/);
  });

  test('the master key is missing or does not match the data', async () => {
    await using database = await createTestDatabase();
    expect(await refusal({ databaseUrl: database.url, masterKey: undefined })).toMatch(/SVC_MASTER_KEY/);
    await using _first = await start({ databaseUrl: database.url });
    const other = Buffer.alloc(32, 'other').toString('base64');
    expect(await refusal({ databaseUrl: database.url, masterKey: other })).toMatch(/does not belong to this data/);
    await using _second = await start({ databaseUrl: database.url });
  });

  test('the database is too old or on a standby, or its encoding is not UTF-8', () => {
    const fit = { version: '15.0', versionNumber: 150_000, encoding: 'UTF8', isStandby: false, keepsSettings: true };
    expect(serverProblem(fit)).toBeUndefined();
    expect(serverProblem({ ...fit, version: '14.19', versionNumber: 140_019 })).toMatch(
      /PostgreSQL 14\.19; .* 15 or later/,
    );
    expect(serverProblem({ ...fit, encoding: 'SQL_ASCII' })).toMatch(/SQL_ASCII/);
    expect(serverProblem({ ...fit, isStandby: true })).toMatch(/standby/);
  });
});

describe('The master key of servers that share a database', () => {
  test('may be a file in a shared data folder', async () => {
    await using database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-key-'));
    const options = { databaseUrl: database.url, dataDir, masterKey: undefined };
    const servers = await Promise.all([start(options), start(options)]);
    for (const server of servers) await server.close();
    await rm(dataDir, { recursive: true });
  });

  test('is not created by a second server in another folder: that start is refused and leaves no folder', async () => {
    await using database = await createTestDatabase();
    const root = await mkdtemp(join(tmpdir(), 'svc-key-'));
    const options = { databaseUrl: database.url, masterKey: undefined };
    const first = await start({ ...options, dataDir: join(root, 'first') });
    const second = join(root, 'second');
    expect(await refusal({ ...options, dataDir: second })).toContain(`no master key in ${join(second, 'master.key')}`);
    expect(await readdir(root)).toEqual(['first']);
    await first.close();
    await rm(root, { recursive: true });
  });
});

describe('The ready line', () => {
  test('names the kind of database, but no part of its URL', async () => {
    await using database = await createTestDatabase();
    await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    const line = readyLine({ ...DEFAULT_CONFIG, databaseUrl: database.url }, api.server);
    expect(JSON.parse(line)).toMatchObject({ ready: true, database: 'postgresql' });
    expect(line).not.toContain(new URL(database.url).host);
  });
});
