import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '@svc/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, createHandler, type ServerConfig, startServer } from '../../../src/index.ts';
import { startApi, TEST_ADMIN_TOKEN } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';

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
    expect(message).toContain('the database contains the demo credential');
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
    expect(await refusal({ ...data, strict: true, seed })).toContain(
      `${demo.production.key} is a public demo credential`,
    );
    await using api = await startApi({ ...data, strict: true, adminToken: TEST_ADMIN_TOKEN });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
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
    expect(message).toContain('the strict profile rejects a secret that is set in the seed');
    expect(message).not.toContain(secret);
    await using api = await startApi({ ...data, strict: true, adminToken: TEST_ADMIN_TOKEN });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    const answer = await api.call('POST', '/_control/reset', { headers, body: { seed } });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } });
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  test('is accepted in the local profile', async () => {
    await using data = await keptData();
    await using _server = await start({ ...data, seed });
  });
});

describe('A server that others could reach', () => {
  test.each<[string, Partial<ServerConfig>]>([
    ['listening on every address', { host: '0.0.0.0' }],
    ['a remote public URL', { publicUrl: 'https://api.service.test' }],
    ['a public URL with an address', { publicUrl: 'http://192.0.2.1:4010' }],
    ['a public URL that only begins like loopback', { publicUrl: 'https://localhost.attacker.test' }],
    ['a remote public URL in the strict profile', { publicUrl: 'https://api.service.test', strict: true }],
  ])('requires an admin token: %s', async (_what, options) => {
    await using data = await keptData();
    expect(await refusal({ ...data, ...options })).toContain('requires --admin-token');
    expect(readdirSync(data.dataDir)).toEqual([]);
    await using _server = await start({ ...data, ...options, adminToken: TEST_ADMIN_TOKEN });
  });

  test.each(['http://localhost:8080', 'https://svc.localhost', 'http://127.0.0.1:1/base', 'http://[::1]:1'])(
    'is not one with the public URL %s',
    async (publicUrl) => {
      await using data = await keptData();
      await using _server = await start({ ...data, publicUrl });
    },
  );

  test('is not one without a socket', async () => {
    const data = await keptData();
    await using _data = data;
    await using _handler = await createHandler({ ...data, logLevel: 'silent', publicUrl: 'https://api.service.test' });
  });
});

describe('An admin token', () => {
  const short = TEST_ADMIN_TOKEN.slice(1);
  test.each([
    ['of 31 characters', short],
    ['with a space, which no header can carry', `${short} x`],
    ['with letters that no header can carry', `${short}ü`],
    ['that is empty', ''],
  ])('%s is refused, and not shown', async (_what, adminToken) => {
    await using data = await keptData();
    const message = await refusal({ ...data, adminToken });
    expect(message).toMatch(adminToken === '' ? 'is empty' : 'at least 32 characters');
    expect(message).not.toContain(short);
    expect(readdirSync(data.dataDir)).toEqual([]);
  });

  test('of 32 characters is accepted', async () => {
    await using data = await keptData();
    await using _server = await start({ ...data, adminToken: TEST_ADMIN_TOKEN });
  });
});

test('a server that others can reach refuses --random-seed', async () => {
  await using data = await keptData();
  const open = { ...data, host: '0.0.0.0', adminToken: TEST_ADMIN_TOKEN };
  expect(await refusal({ ...open, randomSeed: 7 })).toContain('--random-seed');
  expect(readdirSync(data.dataDir)).toEqual([]);
  await using _server = await start(open);
});

test('--strict refuses --random-seed, from which every secret follows; each alone is accepted', async () => {
  await using data = await keptData();
  expect(await refusal({ ...data, strict: true, randomSeed: 7 })).toContain('--random-seed');
  expect(readdirSync(data.dataDir)).toEqual([]);
  await expect(createHandler({ ...data, strict: true, randomSeed: 7 })).rejects.toThrow(ConfigError);
  await (await start({ ...data, strict: true })).close();
  await using seeded = await keptData();
  await using _server = await start({ ...seeded, randomSeed: 7 });
});

describe('Data that was used with --random-seed', () => {
  test('is refused in the strict profile and where others can reach the server, and accepted on this machine', async () => {
    await using data = await keptData();
    const seed = otherTenants;
    await (await start({ ...data, seed, randomSeed: 7 })).close();
    const exposed = { host: '0.0.0.0', adminToken: TEST_ADMIN_TOKEN };
    for (const options of [{ strict: true }, exposed, { ...exposed, host: '127.0.0.1', publicUrl: 'https://a.test' }]) {
      expect(await refusal({ ...data, ...options })).toContain('was used with --random-seed');
    }
    await (await start(data)).close();
    await using _inProcess = await createHandler({ ...data, host: '0.0.0.0' });
  });

  test('is still refused after a reset and a restored snapshot', async () => {
    await using data = await keptData();
    {
      await using api = await startApi({ ...data, seed: otherTenants, randomSeed: 7 });
      await api.call('POST', '/_control/reset', { body: { seed: {} } });
      await api.call('POST', '/_control/snapshots/empty');
      await api.call('POST', '/_control/snapshots/empty/restore');
    }
    expect(await refusal({ ...data, strict: true })).toContain('was used with --random-seed');
  });

  test('is not what a server without it makes', async () => {
    await using data = await keptData();
    await (await start({ ...data, seed: otherTenants })).close();
    await using _strict = await start({ ...data, strict: true });
  });
});

describe('The demo credentials', () => {
  const open = { host: '0.0.0.0', adminToken: TEST_ADMIN_TOKEN };
  const credentials = [demo.production.key, demo.staging.key, demo.globex.key, demo.owner, demo.admin, demo.viewer];
  const demoCredentials = [...credentials, demo.globexOwner];
  const statusOf = async ({ port }: { port: number }, credential: string) => {
    const headers = { authorization: `Bearer ${credential}` };
    return (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers })).status;
  };

  test.each<[string, Partial<ServerConfig>]>([
    ['on every address', open],
    ['behind a tunnel', { publicUrl: 'https://tunnel.service.test', adminToken: TEST_ADMIN_TOKEN }],
  ])('work on loopback only; %s, the same tenants get generated ones, which the start returns', async (_, options) => {
    await using local = await keptData();
    await using onLoopback = await start(local);
    for (const credential of demoCredentials) expect(await statusOf(onLoopback, credential)).toBe(200);

    await using data = await keptData();
    await using server = await start({ ...data, ...options });
    const known = ({ kind, name, workspaceId, role }: (typeof server.credentials)[number]) => ({
      kind,
      name,
      workspaceId,
      role,
    });
    expect(server.credentials.map(known)).toEqual(onLoopback.credentials.map(known));
    for (const { credential } of server.credentials) {
      expect(demoCredentials).not.toContain(credential);
      expect(await statusOf(server, credential)).toBe(200);
    }
    for (const credential of demoCredentials) expect(await statusOf(server, credential)).toBe(401);
  });

  test('that a reset generates work too, and the control API shows them', async () => {
    await using data = await keptData();
    await using server = await start({ ...data, ...open });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}`, 'content-type': 'application/json' };
    const control = async (method: string, path: string, body?: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/_control${path}`, {
        method,
        headers,
        body: body ?? null,
      });
      return (await answer.json()) as { credentials: { credential: string }[] };
    };
    const { credentials: issued } = await control('POST', '/reset', '{}');
    expect(issued).toHaveLength(demoCredentials.length);
    for (const { credential } of issued) expect(await statusOf(server, credential)).toBe(200);
    for (const { credential } of server.credentials) expect(await statusOf(server, credential)).toBe(401);
    expect((await control('GET', '/info')).credentials).toEqual(issued);
  });

  test('in data that a server on loopback created do not work on a network, and are not printed', async () => {
    await using data = await keptData();
    await (await start(data)).close();
    {
      await using server = await start({ ...data, ...open });
      expect(server.credentials).toEqual([]);
      for (const credential of demoCredentials) expect(await statusOf(server, credential)).toBe(401);
    }
    await using again = await start(data);
    expect(await statusOf(again, demo.production.key)).toBe(200);
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
      /^The master key in SVC_MASTER_KEY does not belong to this data\. Set SVC_MASTER_KEY to/,
    );
    writeFileSync(file, other);
    const read = await refusal(data);
    expect(read).toMatch(`The master key in ${file} does not belong to this data. Copy master.key from`);
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
    ['a host that this machine does not have', { host: '192.0.2.1', adminToken: TEST_ADMIN_TOKEN }],
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
    const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
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
    expect(await refusal({ ...data, ...repeated, seed })).toContain('is already in use');
    expect(readdirSync(data.dataDir)).not.toContain('master.key');
    await using server = await start({ ...data, seed: otherTenants });
    expect(server.credentials).toHaveLength(1);
  });
});
