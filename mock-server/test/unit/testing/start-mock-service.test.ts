import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@svc/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, createHandler, DEFAULT_CONFIG, startServer } from '../../../src/index.ts';
import { ControlError, createControlClient, type MockService, startMockService } from '../../../src/testing/index.ts';
import { subscribe } from '../../support/subscribed.ts';

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

const subscribed = () => subscribe(service);

describe('service.clock', () => {
  test('moves, stops and returns to the real time', async () => {
    await using service = await startMockService();
    const before = await service.clock.now();
    await service.clock.advance('12h');
    expect((await service.clock.now()).getTime() - before.getTime()).toBeGreaterThan(11 * 3_600_000);
    await service.clock.freeze();
    const target = new Date('2099-01-01T00:00:00.000Z');
    await service.clock.set(target);
    expect(await service.clock.now()).toEqual(target);
    await expect(service.clock.set('2098-01-01T00:00:00Z')).rejects.toThrow(
      /Only a reset or a restore can set it back/,
    );
    await service.clock.reset();
    expect((await service.clock.now()).getTime()).toBeLessThan(target.getTime());
  });
});

describe('service.snapshot()', () => {
  test('restores everything, and rejects if the snapshot is gone', async () => {
    await using service = await startMockService();
    const before = await service.snapshot();
    const { workspaceId } = await service.workspace();
    await service.clock.advance('1h');
    await before.restore();
    await expect(service.trigger('lifecycle.evaluated', { workspaceId })).rejects.toThrow(/No such workspace/);
    for (const { name } of (await service.control.listSnapshots()).snapshots)
      await service.control.deleteSnapshot({ name });
    await expect(before.restore()).rejects.toThrow(/No such snapshot/);
  });
});

test.each([
  [{ port: 'x2' }, 'port must be an integer between 0 and 65535, not "x2".'],
  [{ port: 65_536 }, 'port must be an integer between 0 and 65535, not 65536.'],
  [{ randomSeed: -1 }, 'randomSeed must be an integer between 0 and 4294967295, not -1.'],
  [{ randomSeed: 0.5 }, 'randomSeed must be an integer between 0 and 4294967295, not 0.5.'],
  [{ allowNetwork: false }, 'allowNetwork must be true or a list of networks such as ["10.0.0.0/8"], not false.'],
  [{ allowNetwork: ['everywhere'] }, '"everywhere" is not a network'],
  [{ bogus: 1 }, 'There is no option "bogus". Use one of port, seed, database,'],
])('%j is rejected', async (options, says) => {
  const starting = startMockService(options as object);
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow(says);
});

test('an unknown option of startServer or createHandler is rejected, and creates nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mistyped-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  for (const start of [startServer, createHandler]) {
    const starting = start({ prt: 0, dataDir } as object);
    await expect(starting).rejects.toThrow(ConfigError);
    await expect(starting).rejects.toThrow('There is no option "prt". Use one of port, host, ');
    expect(existsSync(dataDir)).toBe(false);
  }
  await using server = await startServer({ ...DEFAULT_CONFIG, port: 0, dataDir: null, logLevel: 'silent' });
  expect(server.port).toBeGreaterThan(0);
  await using _handler = await createHandler({ dataDir: null, logLevel: 'silent', send: undefined });
});

test('an unknown option of the tools and of a receiver is rejected', async () => {
  await using service = await startMockService();
  const { workspaceId } = await service.workspace({ name: 'Named', timezone: undefined });
  const receiver = await service.receiver({ path: '/hooks' });
  for (const act of [
    () => service.workspace({ nam: 'Mine' } as object),
    () => service.receiver({ prt: 0 } as object),
    () => service.trigger('webhook.ping', { workspaceId, subjct: {} } as { workspaceId: string }),
    () => service.waitForDelivery({ eventId: 'evt_1', timeout: 1 } as object),
    () => service.waitForIdle({ timeout: 1 } as object),
    async () => receiver.next({ timeout: 1 } as object),
    async () => receiver.respond({ status: 200 }, { stat: 500 } as object),
  ]) {
    const acting = act();
    await expect(acting).rejects.toThrow(ConfigError);
    await expect(acting).rejects.toThrow('There is no option "');
  }
  receiver.respond({ status: 500, headers: {}, body: '', delayMs: 0 });
  expect((await fetch(receiver.url, { method: 'POST' })).status).toBe(500);
});

test('the tools work while the test has replaced the global fetch', async () => {
  await using service = await startMockService();
  const stub = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', stub);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { workspaceId } = await service.workspace();
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  expect(event.type).toBe('lifecycle.evaluated');
  await expect(service.trigger('lifecycle.evaluated', { workspaceId: 'wsp_none' })).rejects.toThrow(ControlError);
  expect(stub).not.toHaveBeenCalled();
});

describe('Endpoints of a test', () => {
  test.each([
    [{}, 'https://93.184.216.34/hook'],
    [{}, 'https://example.com/hook'],
    [{ allowNetwork: ['10.0.0.0/8'] }, 'https://93.184.216.34/hook'],
    [{ allowNetwork: ['10.0.0.0/8'] }, 'https://[2606:2800:220:1::1]/hook'],
  ])('with %j, %s is accepted, but gets no requests', async (options, url) => {
    await using service = await startMockService(options);
    const { apiKey, workspaceId } = await service.workspace();
    const svc = createClient({ apiKey, baseUrl: service.url });
    expect((await svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] })).endpoint.url).toBe(url);
    await service.trigger('lifecycle.evaluated', { workspaceId });
    await service.waitForIdle();
    expect(await svc.webhooks.deliveries.list().collect({ limit: 2 })).toMatchObject([
      { status: 'pending', attempt: 1, error: 'Blocked address' },
    ]);
  });

  test.each([
    [{}, 'https://10.1.2.3/hook', 'must not be a private or reserved address'],
    [{ allowNetwork: ['11.0.0.0/8'] }, 'https://10.1.2.3/hook', 'must not be a private or reserved address'],
    [{}, 'http://example.com/hook', 'http is allowed only for loopback receivers'],
  ])('with %j, %s is refused', async (options, url, message) => {
    await using service = await startMockService(options);
    const { apiKey } = await service.workspace();
    const svc = createClient({ apiKey, baseUrl: service.url });
    const error = { status: 400, code: 'VALIDATION', message: expect.stringContaining(message) };
    await expect(svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] })).rejects.toMatchObject(error);
    const local = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
    const { endpoint } = await svc.webhooks.endpoints.create(local);
    await expect(svc.webhooks.endpoints.update(endpoint.id, { url })).rejects.toMatchObject(error);
  });

  test.each([
    [{}, 'http://localhost:9/hook'],
    [{}, 'https://[::1]:9/hook'],
    [{}, 'https://example.com/hook'],
    [{ allowNetwork: true as const }, 'https://example.com/hook'],
    [{ allowNetwork: ['10.0.0.0/8'] }, 'https://10.1.2.3/hook'],
    [{ allowNetwork: ['10.0.0.0/8'] }, 'http://127.0.0.1:9/hook'],
  ])('with %j, %s is accepted', async (options, url) => {
    await using service = await startMockService(options);
    const { apiKey } = await service.workspace();
    const svc = createClient({ apiKey, baseUrl: service.url });
    expect((await svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] })).endpoint.url).toBe(url);
  });

  test('that another server stored get no deliveries', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-stored-endpoint-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const headers = { authorization: 'Bearer svc_sk_test_demo_acme_production', 'content-type': 'application/json' };
    const body = JSON.stringify({ url: 'https://93.184.216.34/hook', subscribedEvents: ['*'] });
    {
      await using server = await startServer({ port: 0, dataDir, logLevel: 'silent' });
      const created = await fetch(`${server.url}/v1/webhooks/endpoints`, { method: 'POST', headers, body });
      expect(created.status).toBe(201);
    }
    await using server = await startServer({ port: 0, dataDir, logLevel: 'silent', allowPublic: false });
    const control = createControlClient({ baseUrl: server.url });
    await control.createEvent({ workspaceId: 'wsp_01DEM00000000000000PR0D000', type: 'lifecycle.evaluated' });
    await control.settle({});
    const deliveries = await fetch(`${server.url}/v1/webhooks/deliveries`, { headers });
    expect(await deliveries.json()).toMatchObject({ data: [{ attempt: 1, error: 'Blocked address' }] });
  });

  test('of a seed may have any public URL', async () => {
    const endpoints = [{ url: 'https://a.test/', subscribedEvents: ['*'] }];
    const organizations = [{ slug: 'o', name: 'O', workspaces: [{ slug: 'w', name: 'W', endpoints }] }];
    await using _service = await startMockService({ seed: { organizations } });
  });
});

test('startAt and randomSeed make two services the same', async () => {
  const options = { startAt: '2020-01-01T00:00:00Z', randomSeed: 7 };
  await using one = await startMockService(options);
  await using other = await startMockService({ ...options, startAt: new Date(options.startAt) });
  expect((await one.clock.now()).toISOString()).toBe('2020-01-01T00:00:00.000Z');
  expect(await one.workspace()).toEqual(await other.workspace());
  await using different = await startMockService({ ...options, randomSeed: 8 });
  expect(await different.workspace()).not.toEqual(await one.workspace());
  await expect(startMockService({ startAt: 'yesterday' })).rejects.toThrow(
    /startAt must be a Date or an ISO 8601 string/,
  );
  await expect(startMockService({ startAt: 5 as never })).rejects.toThrow(
    /startAt must be a Date or an ISO 8601 string/,
  );
  await expect(startMockService({ log: 'loud' as never })).rejects.toThrow(/log must be true, false, debug/);
  await expect(startMockService({ log: (() => {}) as never })).rejects.toThrow(/, not a function\.$/);
  await expect(startMockService({ rateLimit: 5 as never })).rejects.toThrow(/rateLimit must be true or false/);
});

test('randomSeed alone makes two services the same, and starts them at the same time', async () => {
  await using one = await startMockService({ randomSeed: 7 });
  await using other = await startMockService({ randomSeed: 7 });
  expect((await one.clock.now()).toISOString()).toBe('2030-01-01T00:00:00.000Z');
  expect(await one.workspace()).toEqual(await other.workspace());
  await using without = await startMockService();
  expect((await without.clock.now()).getUTCFullYear()).toBeLessThan(2030);
});

describe('startMockService()', () => {
  test('applies a seed, and reset() applies it or another one again', async () => {
    const organization = (slug: string) => ({
      slug,
      name: slug,
      workspaces: [{ slug: 'main', name: 'Main', apiKeys: [{ credential: `svc_sk_test_${slug}` }] }],
    });
    await using service = await startMockService({ seed: { organizations: [organization('first')] } });
    expect(service.credentials).toMatchObject([{ kind: 'api_key', credential: 'svc_sk_test_first' }]);
    expect(await service.reset({ organizations: [organization('second')] })).toMatchObject([
      { credential: 'svc_sk_test_second' },
    ]);
    expect(await service.reset()).toMatchObject([{ credential: 'svc_sk_test_first' }]);
    await expect(service.reset({ organisations: [] })).rejects.toThrow(/organisations/);
  });

  test('reads a seed from a file, and names the line of a mistake', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-seed-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seed = join(folder, 'seed.yaml');
    writeFileSync(
      seed,
      'users:\n  - { email: ada@example.test, name: Ada, tokens: [{ credential: svc_pat_test_ada }] }\n',
    );
    await using service = await startMockService({ seed });
    expect(service.credentials).toMatchObject([{ credential: 'svc_pat_test_ada' }]);
    writeFileSync(seed, 'users: []\norganisations: []\n');
    await expect(startMockService({ seed })).rejects.toThrow(
      `(${seed}, line 2): it has unknown fields: organisations.`,
    );
    await expect(startMockService({ seed: join(folder, 'none.yaml') })).rejects.toThrow('Cannot read the seed file');
  });

  test('rejects options that the server rejects', async () => {
    await expect(startMockService({ seed: { users: 1 } })).rejects.toThrow(ConfigError);
    await expect(startMockService({ cors: 'localhost:3000' })).rejects.toThrow(/not an origin/);
  });

  test.each([
    [{}, false],
    [{ rateLimit: true }, true],
  ])('with %j has rate-limit headers: %j', async (options, has) => {
    await using service = await startMockService(options);
    const { apiKey } = await service.workspace();
    const answer = await fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect([answer.status, answer.headers.has('ratelimit')]).toEqual([200, has]);
  });

  test('closes once, together with its receivers', async () => {
    const service = await startMockService();
    const receiver = await service.receiver();
    await Promise.all([service.close(), service.close()]);
    await expect(fetch(receiver.url)).rejects.toThrow('fetch failed');
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  });
});

describe('service.trigger()', () => {
  test('requires the endpoint that webhook.endpoint.auto_disabled is about', async () => {
    const { workspaceId, endpointId, receiver } = await subscribed();
    const type = 'webhook.endpoint.auto_disabled';
    const subject = { id: endpointId, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${endpointId}` } as const;
    const { event } = await service.trigger(type, { workspaceId, subject });
    expect(event.subject).toEqual(subject);
    // @ts-expect-error The types also refuse it.
    const missing = service.trigger(type, { workspaceId });
    await expect(missing).rejects.toMatchObject({ code: 'VALIDATION', status: 400 });
    // @ts-expect-error A workspace is not an endpoint.
    const wrong = service.trigger(type, { workspaceId, subject: { ...subject, type: 'workspace' } });
    await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION', status: 400 });
    const unknownType: string = type;
    await expect(service.trigger(unknownType, { workspaceId })).rejects.toThrow('"subject" is missing');
    await service.waitForIdle();
    expect(receiver.requests).toHaveLength(1);
  });

  test('delivers a signed event, whose raw body the receiver keeps', async () => {
    const { trigger, receiver, secret } = await subscribed();
    const { event, deliveries } = await trigger();
    const [delivery] = await service.waitForDelivery({ eventId: event.id, status: 'success' });
    const [request] = receiver.requests;
    expect(delivery).toMatchObject({ id: deliveries[0]?.id, attempt: 1 });
    expect(request?.json()).toEqual(event);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request?.headers ?? {};
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64url');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${request?.body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
  });

  test('rejects a type outside the catalog', async () => {
    const { workspaceId } = await service.workspace();
    await expect(service.trigger('no.such_type', { workspaceId })).rejects.toThrow(/not in the event catalog/);
  });
});

test('service.faults adds and removes faults', async () => {
  const { trigger, endpointId } = await subscribed();
  await service.faults.add({ target: 'delivery', match: { endpointId }, effect: { status: 503 } });
  expect(await service.faults.list()).toMatchObject([{ match: { endpointId }, remaining: null }]);
  await trigger();
  await service.waitForIdle();
  await service.faults.clear();
  expect(await service.faults.list()).toEqual([]);
  await service.clock.advance('5m');
  expect(await service.waitForDelivery({ endpointId, status: 'success' })).toMatchObject([{ attempt: 2 }]);
});
