import { delay, HttpResponse, http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fixtures } from '../src/testing.ts';
import { apiKeyClient } from './support/clients.ts';

const ORIGIN = 'https://service.example';
const network = setupServer();

beforeAll(() => network.listen({ onUnhandledFrame: 'error' }));
afterEach(() => network.resetHandlers());
afterAll(() => network.close());

/**
 * Lets requests to the service fail with these faults in turn, and then succeed. @returns the methods of the requests.
 */
function failWith(...faults: (() => Response | Promise<Response>)[]): string[] {
  const seen: string[] = [];
  network.use(
    http.all(`${ORIGIN}/*`, async ({ request }) => {
      const fault = faults[seen.push(request.method) - 1];
      if (fault) return fault();
      return HttpResponse.json({ endpoint: fixtures.webhookEndpoint(), secret: fixtures.webhookSecret() });
    }),
  );
  return seen;
}

/** The error of `fetch` for a pulled cable, an unknown name or a wrong certificate. It does not say which. */
const noResponse = () => HttpResponse.error();

/** The first bytes of a response, and then no more. */
const brokenOff = () =>
  new HttpResponse(
    new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"endpoint":'));
        stream.error(new TypeError('terminated'));
      },
    }),
  );

const never = async () => {
  await delay('infinite');
  return HttpResponse.error();
};

describe("a network that fails beneath the runtime's own fetch", () => {
  const svc = apiKeyClient({ url: ORIGIN }, { timeoutMs: 500 });

  it.each([
    ['no response', noResponse],
    ['a response that breaks off', brokenOff],
    ['no end', never],
  ])('once, with %s, makes the client repeat a read, but not a write', async (_, fault) => {
    const reads = failWith(fault);
    expect(await svc.webhooks.endpoints.retrieve('whe_1')).toEqual(fixtures.webhookEndpoint());
    expect(reads).toEqual(['GET', 'GET']);
    network.resetHandlers();
    const writes = failWith(fault);
    await expect(svc.webhooks.endpoints.rotateSecret('whe_1')).rejects.toMatchObject({
      code: expect.stringMatching(/^(NETWORK|TIMEOUT)$/),
      attempts: 1,
    });
    expect(writes).toEqual(['POST']);
  });

  it('permanently causes a NetworkError after the retries, without neverArrived', async () => {
    const seen = failWith(noResponse, noResponse, noResponse);
    await expect(svc.webhooks.endpoints.update('whe_1', { active: true })).rejects.toMatchObject({
      name: 'NetworkError',
      neverArrived: false,
      attempts: 3,
    });
    expect(seen).toEqual(['PATCH', 'PATCH', 'PATCH']);
  });

  it('after a DELETE makes a 404 to the next attempt count as done', async () => {
    const seen = failWith(noResponse, () => HttpResponse.json({}, { status: 404 }));
    expect(await svc.webhooks.endpoints.delete('whe_1')).toBeUndefined();
    expect(seen).toEqual(['DELETE', 'DELETE']);
  });
});

describe('an unknown host name', () => {
  it('cannot be reached, so a POST is retried', async () => {
    network.use(http.all('http://nowhere.invalid/*', () => passthrough()));
    // RFC 2606 reserves `.invalid`, so this name never exists.
    const call = apiKeyClient({ url: 'http://nowhere.invalid' }).webhooks.endpoints.rotateSecret('whe_1');
    await expect(call).rejects.toMatchObject({ name: 'NetworkError', neverArrived: true, attempts: 3 });
  });
});
