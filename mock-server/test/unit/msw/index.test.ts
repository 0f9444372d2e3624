import { createClient, NetworkError } from '@svc/client';
import { verifyWebhook } from '@svc/webhooks';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMockService, type MswMockService } from '../../../src/msw/index.ts';

const toFetch = (service: MswMockService) => (url: string, init?: object) => service.fetch(new Request(url, init));

describe('The handlers', () => {
  const delivered: Request[] = [];
  let service: MswMockService;
  let msw: ReturnType<typeof setupServer>;
  beforeAll(async () => {
    service = await createMockService({
      onDelivery(request) {
        delivered.push(request);
        return new Response('taken', { status: 202 });
      },
    });
    msw = setupServer(...service.handlers);
    msw.listen({ onUnhandledFrame: 'error' });
  });
  afterAll(async () => {
    msw.close();
    await service.close();
  });

  test('answer at every origin, with page URLs of that origin', async () => {
    const { apiKey, workspaceId } = await service.workspace();
    for (let count = 0; count < 2; count++) await service.trigger('lifecycle.evaluated', { workspaceId });
    for (const baseUrl of ['https://api.example.test', 'http://localhost:4321']) {
      const page = await createClient({ apiKey, baseUrl }).events.list({ limit: 1 });
      expect(page.data).toHaveLength(1);
      expect(new URL(String(page.nextPageUrl)).origin).toBe(baseUrl);
      const all = await createClient({ apiKey, baseUrl }).events.list({ limit: 1 }).collect({ limit: 9 });
      expect(all).toHaveLength(2);
    }
  });

  test('pass signed deliveries to onDelivery, for any receiver host', async () => {
    const { apiKey, workspaceId } = await service.workspace();
    const svc = createClient({ apiKey, baseUrl: 'https://api.example.test' });
    const url = 'https://receiver.example.test/hook';
    const { secret } = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] });
    const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
    const [delivery] = await service.waitForDelivery({ eventId: event.id, status: 'success' });
    const request = delivered.find(({ headers }) => headers.get('webhook-id') === delivery?.id);
    expect(request?.url).toBe(url);
    const body = await String(await request?.text());
    expect(verifyWebhook({ headers: request?.headers ?? {}, body, secrets: secret.secret }).event).toEqual(event);
    expect(await svc.webhooks.deliveries.retrieve(String(delivery?.id))).toMatchObject({
      responseStatus: 202,
      responseBody: 'taken',
    });
  });

  test('answer the preflight of a page, and let it read the response', async () => {
    const url = 'https://api.example.test/v1/me';
    const origin = 'http://localhost:3000';
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...asked } });
    expect([preflight.status, ...preflight.headers]).toEqual([
      204,
      ['access-control-allow-headers', 'authorization'],
      ['access-control-allow-methods', 'GET, POST, PATCH, DELETE'],
      ['access-control-allow-origin', origin],
      ['access-control-expose-headers', '*'],
    ]);
    const { status, headers } = await fetch(url, { headers: { origin } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    // Without an origin, nothing about pages changes the service.
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(405);
    expect((await fetch(url)).headers.has('access-control-allow-origin')).toBe(false);
  });

  test('retry failed deliveries when the clock moves', async () => {
    const { apiKey, workspaceId } = await service.workspace();
    const svc = createClient({ apiKey, baseUrl: 'https://api.example.test' });
    await svc.webhooks.endpoints.create({ url: 'https://other.example.test/', subscribedEvents: ['*'] });
    await service.faults.add({ target: 'delivery', match: { workspaceId }, effect: { status: 500 }, times: 1 });
    const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
    await service.waitForIdle();
    await service.clock.advance('5m');
    expect(await service.waitForDelivery({ eventId: event.id, status: 'success' })).toMatchObject([{ attempt: 2 }]);
  });

  test('cut the connection if a fault says so', async () => {
    const { apiKey, workspaceId } = await service.workspace();
    const svc = createClient({ apiKey, baseUrl: 'https://api.example.test', maxRetries: 0 });
    await service.faults.add({ target: 'api', match: { workspaceId }, effect: { reset: true } });
    await expect(svc.me.retrieve()).rejects.toBeInstanceOf(NetworkError);
    await service.faults.clear();
    await expect(svc.me.retrieve()).resolves.toMatchObject({ workspace: { id: workspaceId } });
  });

  test('leave the control API and other paths alone', () => {
    const [handler] = service.handlers;
    const handles = async (url: string) => (await handler?.parse({ request: new Request(url) }))?.match.matches;
    return Promise.all(
      [
        ['http://localhost/v1', true],
        ['http://localhost/v1/me', true],
        ['http://localhost/v1?x', true],
        ['http://localhost/v10/me', false],
        ['http://localhost/_control/clock', false],
        ['http://localhost/other/v1/me', false],
      ].map(async ([url, expected]) => expect([url, await handles(String(url))]).toEqual([url, expected])),
    );
  });
});

test('With a base URL, which may have a path, the handlers answer only there', async () => {
  await using service = await createMockService({ baseUrl: 'https://gateway.example.test/service/' });
  const msw = setupServer(...service.handlers);
  msw.listen({ onUnhandledFrame: 'error' });
  try {
    const { apiKey, workspaceId } = await service.workspace();
    for (let count = 0; count < 2; count++) await service.trigger('lifecycle.evaluated', { workspaceId });
    const svc = createClient({ apiKey, baseUrl: 'https://gateway.example.test/service', maxRetries: 0 });
    expect((await svc.events.list({ limit: 1 })).nextPageUrl).toMatch(
      /^https:\/\/gateway\.example\.test\/service\/v1\/events\?/,
    );
    expect(await svc.events.list({ limit: 1 }).collect({ limit: 9 })).toHaveLength(2);
    const elsewhere = createClient({ apiKey, baseUrl: 'https://other.example.test', maxRetries: 0 });
    await expect(elsewhere.me.retrieve()).rejects.toBeInstanceOf(NetworkError);
  } finally {
    msw.close();
  }
});

test('Handlers can be used before the service has started', async () => {
  const starting = createMockService();
  const msw = setupServer(...starting.handlers);
  msw.listen({ onUnhandledFrame: 'error' });
  try {
    const { status } = await fetch('https://api.example.test/v1/me');
    expect(status).toBe(401);
    await using service = await starting;
    expect(service.handlers).toBe(starting.handlers);
  } finally {
    msw.close();
  }
});

test('A request to a service that could not start fails', async () => {
  const starting = createMockService({ seed: { users: 'nobody' } as never });
  const rejected = expect(starting).rejects.toThrow(/users/);
  const msw = setupServer(...starting.handlers);
  msw.listen({ onUnhandledFrame: 'error' });
  try {
    const { status, ok } = await fetch('https://api.example.test/v1/me');
    expect({ status, ok }).toEqual({ status: 500, ok: false });
    await rejected;
  } finally {
    msw.close();
  }
});

test('A base URL that is not a URL is rejected', async () => {
  await expect(createMockService({ baseUrl: 'example.test' })).rejects.toThrow(/must be an absolute http or https URL/);
});

test('the functions can be used without await', async () => {
  const service = createMockService({ startAt: '2030-01-01T00:00:00Z' });
  const { apiKey, workspaceId } = await service.workspace();
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.clock.advance('5m');
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await service.fetch(new Request(`https://api.example.test/v1/events/${event.id}`, { headers }));
  expect(await response.json()).toEqual(event);
  expect(await (await service).clock.now()).toEqual(new Date('2030-01-01T00:05:00Z'));
  await service.close();
});

test('the demo credentials can be read without await', async () => {
  const service = createMockService();
  const { credentials } = service;
  expect(credentials).toEqual((await service).credentials);
  expect(credentials.map(({ role }) => role)).toEqual([null, null, null, 'Owner', 'Admin', 'Viewer', 'Owner']);
  const headers = { authorization: `Bearer ${credentials[0]?.credential}` };
  expect((await service.fetch(new Request('https://api.example.test/v1/me', { headers }))).status).toBe(200);
  await service.close();
});

test("the credentials of the caller's own seed need await", async () => {
  const users = [{ email: 'ann@acme.test', name: 'Ann', tokens: [{ name: 'Mine' }] }];
  const service = createMockService({ seed: { users } });
  expect(() => service.credentials).toThrow('Await createMockService() first.');
  expect({ ...service }).toHaveProperty('handlers');
  await service;
  expect(service.credentials).toMatchObject([{ kind: 'personal_access_token', name: 'Mine' }]);
  await service.close();
});

test('onDelivery may return the same response every time', async () => {
  const taken = new Response('taken', { status: 202 });
  await using service = await createMockService({ onDelivery: () => taken });
  const { apiKey, workspaceId } = await service.workspace();
  const body = JSON.stringify({ url: 'https://receiver.example.test/', subscribedEvents: ['*'] });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  await service.fetch(new Request('http://any.test/v1/webhooks/endpoints', { method: 'POST', headers, body }));
  for (let count = 0; count < 2; count++) {
    const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
    expect(await service.waitForDelivery({ eventId: event.id })).toMatchObject([{ status: 'success', attempt: 1 }]);
  }
});

test.each([
  ['throws', () => Promise.reject(new Error('no such column: name')), 'no such column: name'],
  ['returns no response', (() => undefined) as never, 'It must return a Response.'],
])('the message of a failed wait says why onDelivery failed: it %s', async (_how, onDelivery, reason) => {
  await using service = await createMockService({ onDelivery });
  const { apiKey, workspaceId } = await service.workspace();
  const svc = createClient({ apiKey, baseUrl: 'https://api.example.test', fetch: toFetch(service) });
  await svc.webhooks.endpoints.create({ url: 'https://receiver.example.test/', subscribedEvents: ['*'] });
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await expect(service.waitForDelivery({ eventId: event.id, status: 'success', timeoutMs: 500 })).rejects.toThrow(
    `the last one HTTP 500 ("onDelivery failed: ${reason}")`,
  );
});

test('without onDelivery, an endpoint on another machine gets no requests', async () => {
  await using service = await createMockService();
  const { apiKey, workspaceId } = await service.workspace();
  const body = JSON.stringify({ url: 'https://93.184.216.34/', subscribedEvents: ['*'] });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const request = new Request('http://any.test/v1/webhooks/endpoints', { method: 'POST', headers, body });
  expect((await service.fetch(request)).status).toBe(201);
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await expect(service.waitForDelivery({ eventId: event.id, timeoutMs: 1_000 })).rejects.toThrow(
    'the last one Blocked address (the option allowNetwork decides which addresses get deliveries)',
  );
});

test('functions that do not wait for the service reject with the reason why it cannot start', async () => {
  const service = createMockService({ allowNetwork: ['everywhere'] });
  service.catch(() => {});
  await expect(service.workspace()).rejects.toThrow('"everywhere" is not a network');
});

test('an option with a wrong value is rejected by its name', async () => {
  await expect(createMockService({ baseUrl: 'api.example.test' })).rejects.toThrow(/^baseUrl must be an absolute http/);
  await expect(createMockService({ baseUrl: 4010 as never })).rejects.toThrow(/^baseUrl must be an absolute http/);
  const onDelivery = new Response() as never;
  await expect(createMockService({ onDelivery })).rejects.toThrow('onDelivery must be a function');
});

test('untyped code may pass the base URL as a URL', async () => {
  await using service = await createMockService({ baseUrl: new URL('https://api.example.test/base/') as never });
  expect(service.handlers.map(({ info }) => Object(info).path)).toEqual([
    'https://api.example.test/base/v1',
    'https://api.example.test/base/v1/*',
  ]);
});
