import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

const HOUR = 3_600_000;

/** Starts a receiver that responds with the given function, and creates an endpoint for it. */
async function subscribe(api: TestApi, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const credential = demo.production.key;
  await api.call('POST', '/v1/webhooks/endpoints', { credential, body: { url, subscribedEvents: ['lifecycle.*'] } });
  return {
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const cause = (api: TestApi) =>
  api.call('POST', '/_control/events', { body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' } });
const nowOf = async (api: TestApi) => Date.parse((await api.call('GET', '/_control/clock')).body.now);

describe('Moving the clock', () => {
  test('finishes while events keep coming, after making every attempt that was due before', async () => {
    await using api = await startApi({ rateLimit: false });
    let goesOn = true;
    let first = true;
    // Each delivery causes the next event before it ends, so that something is due all the time.
    using _receiver = await subscribe(api, async (response) => {
      const status = first ? 500 : 200;
      first = false;
      if (goesOn) await cause(api);
      response.writeHead(status).end();
    });
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const start = await nowOf(api);
    const { body } = await cause(api);
    const { status } = await api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    goesOn = false;
    expect(status).toBe(200);
    expect(await nowOf(api)).toBe(start + HOUR);
    const { attempts } = (await api.call('GET', `/_control/deliveries/${body.deliveries[0].id}/attempts`)).body;
    expect(attempts.map((attempt: { startedAt: string }) => Date.parse(attempt.startedAt) - start)).toEqual([
      0,
      HOUR / 12,
    ]);
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
  });

  test('does not leave deliveries of events behind that arrive while the clock is being frozen', async () => {
    await using api = await startApi({ rateLimit: false });
    using _receiver = await subscribe(api, (response) => void response.writeHead(200).end());
    const call = (path: string, body: object) => api.call('POST', `/_control/${path}`, { body });
    for (let round = 0; round < 5; round++) {
      const freezing = call('clock', { freeze: true });
      const causing = await Promise.all(Array.from({ length: 20 }, (_, ms) => delay(ms).then(() => cause(api))));
      const { body: frozen } = await freezing;
      for (const { body } of causing) {
        expect(Date.parse(body.event.created)).toBeLessThanOrEqual(Date.parse(frozen.now));
      }
      expect((await call('settle', {})).body).toMatchObject({ settled: true, pending: 0 });
      const { body } = await api.call('GET', '/v1/webhooks/deliveries?status=pending', {
        credential: demo.production.key,
      });
      expect(body.data).toEqual([]);
      await call('clock', { resume: true });
    }
  });

  test('does not block reading the clock and explanations', async () => {
    await using api = await startApi({ rateLimit: false });
    const held: ServerResponse[] = [];
    using _receiver = await subscribe(api, (response) => void held.push(response));
    const { body } = await cause(api);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const moving = api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    // Once this is answered, the server has read the request that was sent before it.
    await api.call('GET', '/health/live');
    expect((await api.call('GET', '/_control/clock')).status).toBe(200);
    const explained = await api.call('GET', `/_control/deliveries/${body.deliveries[0].id}/explanation`);
    expect(explained.body.explanation.reason).toBe('in_flight');
    held[0]?.writeHead(200).end();
    expect((await moving).status).toBe(200);
  });

  test('changes nothing if the caller gave up while the call waited for its turn', async () => {
    await using api = await startApi({ rateLimit: false });
    const held: ServerResponse[] = [];
    using _receiver = await subscribe(api, (response) => void held.push(response));
    await api.call('POST', '/_control/snapshots/empty');
    await cause(api);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const start = await nowOf(api);
    const moving = api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    await api.call('GET', '/health/live');

    const abandoned = [
      ['clock', { advance: '3d' }],
      ['clock', { set: '2099-01-01T00:00:00Z' }],
      ['clock', { freeze: true }],
      ['snapshots/empty/restore', {}],
      ['reset', {}],
    ] as const;
    const leaving = new AbortController();
    const { signal } = leaving;
    const headers = { 'content-type': 'application/json' };
    const calls = abandoned.map(([path, body]) =>
      fetch(`${api.server.url}/_control/${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal }),
    );
    const ended = Promise.allSettled(calls);
    await delay(100);
    leaving.abort();
    expect((await ended).map(({ status }) => status)).toEqual(abandoned.map(() => 'rejected'));
    await delay(100);

    held[0]?.writeHead(200).end();
    expect((await moving).status).toBe(200);
    // The next call waits until the abandoned calls have had their turns.
    await api.call('POST', '/_control/clock', { body: { advance: '0s' } });
    const { body: clock } = await api.call('GET', '/_control/clock');
    expect(clock.frozen).toBe(false);
    expect(Date.parse(clock.now) - start).toBeLessThan(2 * HOUR);
    const events = await api.call('GET', '/v1/events', { credential: demo.production.key });
    expect(events.body.data).toHaveLength(1);
  });
});
