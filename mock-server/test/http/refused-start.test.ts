import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '@svc/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, type ServerConfig, startServer } from '../../src/index.ts';
import { startApi } from '../api.ts';
import { createTestDatabase, onPostgres } from '../database.ts';
import { demo } from '../demo.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-refused-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(root, 'data-'));

/** Returns options for a database that outlives its servers, of the kind that this run tests, and a folder for its key. */
async function keptData(): Promise<Partial<ServerConfig> & { dataDir: string } & AsyncDisposable> {
  const database = onPostgres ? await createTestDatabase() : undefined;
  return {
    dataDir: newFolder(),
    ...(database && { databaseUrl: database.url }),
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]();
    },
  };
}

const start = (options: Partial<ServerConfig>) => startServer({ port: 0, logLevel: 'silent', ...options });

/** Returns the message with which the start is refused. */
async function refusal(options: Partial<ServerConfig>): Promise<string> {
  const error = await start(options).then(
    (server) => server.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).message).toMatch(/^[^\n]+$/);
  return (error as ConfigError).message;
}

const otherTenants = {
  organizations: [{ slug: 'own', name: 'Own', workspaces: [{ slug: 'w', name: 'W', apiKeys: [{}] }] }],
};

describe('--strict', () => {
  test('is refused on a database with a valid demo credential, until the database is emptied', async () => {
    await using data = await keptData();
    await (await start(data)).close();
    const message = await refusal({ ...data, strict: true });
    expect(message).toContain('a demo credential that everybody knows');
    expect(message).toContain('POST {"seed":{}} to /_control/reset');
    {
      await using api = await startApi({ ...data });
      expect((await api.call('GET', '/v1/me', { credential: demo.owner })).status).toBe(200);
      expect((await api.call('POST', '/_control/reset', { body: { seed: {} } })).status).toBe(200);
    }
    await using strict = await startApi({ ...data, strict: true });
    expect((await strict.call('GET', '/v1/me', { credential: demo.owner })).status).toBe(401);
  });

  test('starts on an empty database, and on one with other tenants', async () => {
    await using data = await keptData();
    await (await start({ ...data, strict: true })).close();
    await (await start({ ...data, strict: true, seed: otherTenants })).close();
    await using _again = await start({ ...data, strict: true });
  });

  test('refuses a seed that pins a demo credential, at the start and at a reset', async () => {
    await using data = await keptData();
    const apiKeys = [{ credential: demo.production.key }];
    const seed = { organizations: [{ slug: 'own', name: 'Own', workspaces: [{ slug: 'w', name: 'W', apiKeys }] }] };
    expect(await refusal({ ...data, strict: true, seed })).toContain(`everybody knows ${demo.production.key}`);
    await using api = await startApi({ ...data, strict: true, adminToken: 'let-me-in' });
    const headers = { authorization: 'Bearer let-me-in' };
    const answer = await api.call('POST', '/_control/reset', { headers, body: { seed } });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } });
  });
});

describe('A seed that pins the signing secret of an endpoint', () => {
  const secret = `whsec_${Buffer.alloc(32, 'pinned').toString('base64url')}`;
  const endpoints = [{ url: 'https://receiver.example/hook', subscribedEvents: ['*'], secret }];
  const workspaces = [{ slug: 'w', name: 'W', endpoints }];
  const seed = { organizations: [{ slug: 'own', name: 'Own', workspaces }] };

  test('is refused in the strict profile, at the start and at a reset, without showing the secret', async () => {
    await using data = await keptData();
    const message = await refusal({ ...data, strict: true, seed });
    expect(message).toContain('the strict profile rejects pinned secrets');
    expect(message).not.toContain(secret);
    await using api = await startApi({ ...data, strict: true, adminToken: 'let-me-in' });
    const headers = { authorization: 'Bearer let-me-in' };
    const answer = await api.call('POST', '/_control/reset', { headers, body: { seed } });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } });
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  test('is accepted in the local profile', async () => {
    await using data = await keptData();
    await using _server = await start({ ...data, seed });
  });
});

describe('The master key in the data folder', () => {
  const keyIn = (dataDir: string) => readFileSync(join(dataDir, 'master.key'), 'utf8');

  test('is created with new data, and is not created again if it is deleted', async () => {
    await using data = await keptData();
    await (await start(data)).close();
    const file = join(data.dataDir, 'master.key');
    const key = keyIn(data.dataDir);
    rmSync(file);
    const message = await refusal(data);
    expect(message).toContain(`There is no master key in ${file}`);
    expect(message).toContain('SVC_MASTER_KEY');
    expect(existsSync(file)).toBe(false);
    await using _again = await start({ ...data, masterKey: key });
    expect(existsSync(file)).toBe(false);
  });

  test('is named in the error if it does not match the data, and never shown', async () => {
    await using data = await keptData();
    await (await start(data)).close();
    const file = join(data.dataDir, 'master.key');
    const [own, other] = [keyIn(data.dataDir), randomBytes(32).toString('base64')];
    const configured = await refusal({ ...data, masterKey: other });
    expect(configured).toMatch(
      /^The master key in SVC_MASTER_KEY is not the one that this data was made with\. Set it/,
    );
    writeFileSync(file, other);
    const read = await refusal(data);
    expect(read).toMatch(`The master key in ${file} is not the one that this data was made with. Copy the master.key`);
    for (const message of [configured, read]) {
      expect(message).not.toContain(own.trim());
      expect(message).not.toContain(other);
    }
    expect(keyIn(data.dataDir)).toBe(other);
  });
});

describe('A refused start leaves an empty folder empty', () => {
  const [organization] = otherTenants.organizations;

  test.each<[string, Partial<ServerConfig>]>([
    ['a host that this machine does not have', { host: '192.0.2.1', adminToken: 'let-me-in' }],
    ['an invalid master key', { masterKey: 'short' }],
    ['an invalid seed', { seed: { organisations: [] } }],
    ['a seed with a duplicate', { seed: { organizations: [organization, organization] } }],
    ['an invalid network', { allowNetworks: ['everywhere'] }],
  ])('%s', async (_what, options) => {
    await using data = await keptData();
    await refusal({ ...data, ...options });
    expect(readdirSync(data.dataDir)).toEqual([]);
  });

  test('a data folder that cannot be created inside its parent folder', () => {
    // In a separate process, because it may hang.
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const options = { encoding: 'utf8', timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
    const ended = spawnSync('node', [main, '--port', '0', '--data', '/proc/data/folder'], options);
    expect(ended).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        "svc-mock: Cannot create the data folder /proc/data/folder: ENOENT: no such file or directory, mkdir '/proc/data'\n",
    });
  });

  test('a busy port', async () => {
    await using data = await keptData();
    const busy = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy.once('listening', resolve));
    const { port } = busy.address() as { port: number };
    expect(await refusal({ ...data, port })).toContain(`Port ${port} on 127.0.0.1 is in use`);
    busy.close();
    expect(readdirSync(data.dataDir)).toEqual([]);
  });

  test('except for an empty database, but no key, after a seed with an id that the server also generates', async () => {
    const repeated = { randomSeed: 7, startAt: Date.parse('2031-03-01T00:00:00Z') };
    const users = [{ email: 'a@b.test', name: 'A' }];
    await using api = await startApi({ ...repeated, seed: { users } });
    const { body } = await api.call('GET', '/_control/users');
    const seed = { users: [...users, { id: body.data[0].id, email: 'b@b.test', name: 'B' }] };

    await using data = await keptData();
    expect(await refusal({ ...data, ...repeated, seed })).toContain('twice');
    expect(readdirSync(data.dataDir)).not.toContain('master.key');
    await using server = await start({ ...data, seed: otherTenants });
    expect(server.credentials).toHaveLength(1);
  });
});
