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

/** Lets requests to the service fail in turn by what `faults` give, and then succeed; gives the methods that came. */
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

/** What `fetch` makes of a cable that is pulled, a name that is unknown, a certificate that is wrong, without saying which. */
const noAnswer = () => HttpResponse.error();

/** Bytes of an answer, and then none any more. */
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
    ['no answer', noAnswer],
    ['an answer that breaks off', brokenOff],
    ['no end', never],
  ])('and gives %s, once: a read is made again, a write is not', async (_, fault) => {
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

  it('for good: after the retries it is a NetworkError that does not claim to know how far the request came', async () => {
    const seen = failWith(noAnswer, noAnswer, noAnswer);
    await expect(svc.webhooks.endpoints.update('whe_1', { active: true })).rejects.toMatchObject({
      name: 'NetworkError',
      neverArrived: false,
      attempts: 3,
    });
    expect(seen).toEqual(['PATCH', 'PATCH', 'PATCH']);
  });

  it('after a DELETE: a 404 to the next attempt counts as done', async () => {
    const seen = failWith(noAnswer, () => HttpResponse.json({}, { status: 404 }));
    expect(await svc.webhooks.endpoints.delete('whe_1')).toBeUndefined();
    expect(seen).toEqual(['DELETE', 'DELETE']);
  });
});

describe('a name that is unknown', () => {
  it('is known never to have been reached, so that a POST is made again', async () => {
    network.use(http.all('http://nowhere.invalid/*', () => passthrough()));
    // RFC 2606 keeps this name from ever being one.
    const call = apiKeyClient({ url: 'http://nowhere.invalid' }).webhooks.endpoints.rotateSecret('whe_1');
    await expect(call).rejects.toMatchObject({ name: 'NetworkError', neverArrived: true, attempts: 3 });
  });
});
