import { ReadableStream } from 'node:stream/web';
import { expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

/** A server whose clock is three days ahead until the next reset. */
async function startAhead(): Promise<TestApi> {
  const api = await startApi({ rateLimit: false });
  await api.call('POST', '/_control/clock', { body: { advance: 'P3D' } });
  return api;
}

test('Events that wait for a reset get their times and ids from the clock after the reset', async () => {
  await using api = await startAhead();
  // Each event has 20 deliveries, so the waiting events need several transactions.
  const endpoint = { url: 'http://127.0.0.1:9/', subscribedEvents: ['lifecycle.*'] };
  for (let count = 0; count < 20; count++)
    await api.call('POST', '/v1/webhooks/endpoints', { body: endpoint, credential: demo.production.key });
  const body = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const post = () => api.call('POST', '/_control/events', { body });
  const before = Array.from({ length: 150 }, post);
  const reset = api.call('POST', '/_control/reset', { body: {} });
  const after = Array.from({ length: 150 }, post);
  const statuses = (await Promise.all([...before, reset, ...after])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 201]));
  const ahead = new Date(Date.now() + 60_000).toISOString();
  for (let url: string | null = '/v1/events?limit=100'; url; ) {
    const { body: page }: { body: { data: { created: string }[]; nextPageUrl: string | null } } = await api.call(
      'GET',
      url,
      { credential: demo.production.key },
    );
    expect(page.data.filter(({ created }) => created > ahead)).toEqual([]);
    url = page.nextPageUrl;
  }
});

test('An import during which a reset replaces the data fails, and says so', async () => {
  await using api = await startAhead();
  const lines = (from: number) =>
    new TextEncoder().encode(
      Array.from({ length: 600 }, (_, index) => `${JSON.stringify({ externalId: `${from + index}` })}\n`).join(''),
    );
  const isFirstStored = async () => {
    const { body } = await api.call('GET', `/_control/workspaces/${demo.staging.id}/profiles`);
    return body.data.length > 0;
  };
  async function* profiles() {
    yield lines(0);
    await expect.poll(isFirstStored).toBe(true);
    expect((await api.call('POST', '/_control/reset', { body: {} })).status).toBe(200);
    yield lines(600);
  }
  const response = await fetch(`${api.server.url}/_control/workspaces/${demo.staging.id}/profiles`, {
    method: 'PUT',
    headers: { 'content-type': 'application/x-ndjson' },
    body: ReadableStream.from(profiles()),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual(
    failure('UNAVAILABLE', 'A reset or a restore has just replaced all data; send the request again.'),
  );
  expect(await isFirstStored()).toBe(false);
});
