import { beforeAll, describe, expect, it } from 'vitest';
import { type Credential, createClient, type Fetch, type Middleware } from '../src/index.ts';
import { API_KEY } from './support/clients.ts';

/** A gate where code waits until the test opens it. */
function gate(): { passed: Promise<void>; open: () => void; reached: Promise<void>; arrive: () => void } {
  const { promise: passed, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  return { passed, open, reached, arrive };
}

/** A `fetch` that responds in this process and ignores its signal, like many test doubles. */
function deaf(): { fetch: Fetch; sent: string[] } {
  const sent: string[] = [];
  const fetch: Fetch = async (_, { method }) => {
    sent.push(method);
    return Response.json({ endpoint: {}, secret: { id: 'whs_1' } }, { status: 201 });
  };
  return { fetch, sent };
}

/** Lets all work run that waits only for a turn of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

const baseUrl = 'https://a.example';
const endpoint = { url: 'https://b.example', subscribedEvents: ['*'] };

// The first call loads more code, which takes many turns.
beforeAll(async () => {
  await createClient({ apiKey: API_KEY, baseUrl, fetch: deaf().fetch }).webhooks.endpoints.create(endpoint);
});

type Ending = 'abort' | 'close' | 'time-out' | 'none';
const ENDINGS: [Ending, string[]][] = [
  ['abort', []],
  ['close', []],
  ['time-out', []],
  // For comparison, a call that does not end sends its request within the same turns.
  ['none', ['POST']],
];

/** Makes a POST, ends it in the given way as soon as `held` is reached, and only then opens `held`. */
async function endWhile(
  held: ReturnType<typeof gate>,
  ending: Ending,
  parts: { apiKey?: Credential; middleware?: Middleware[]; fetch: Fetch },
): Promise<void> {
  const svc = createClient({ apiKey: API_KEY, baseUrl, maxRetries: 0, ...parts });
  const { signal, abort } = bound(new AbortController());
  const call = svc.webhooks.endpoints.create(endpoint, { signal, ...(ending === 'time-out' && { timeoutMs: 20 }) });
  const outcome = call.then(
    () => 'done',
    ({ name }) => name,
  );
  await held.reached;
  if (ending === 'abort') abort();
  if (ending === 'close') svc.close();
  if (ending !== 'none') expect(await outcome).toBe(ending === 'time-out' ? 'TimeoutError' : 'AbortedError');
  held.open();
  await turns();
  if (ending === 'none') expect(await outcome).toBe('done');
}

const bound = (controller: AbortController) => ({ signal: controller.signal, abort: () => controller.abort() });

describe('a call that has ended passes nothing more to fetch', () => {
  it.each(ENDINGS)('while it waited for the credential: %s', async (ending, expected) => {
    const { fetch, sent } = deaf();
    const held = gate();
    let layers = 0;
    const apiKey = async () => {
      held.arrive();
      await held.passed;
      return API_KEY;
    };
    const counting: Middleware = (request, next) => {
      layers++;
      return next(request);
    };
    await endWhile(held, ending, { apiKey, fetch, middleware: [counting] });
    expect(sent).toEqual(expected);
    expect(layers).toBe(expected.length);
  });

  it.each(ENDINGS)('while a middleware took its time: %s', async (ending, expected) => {
    const { fetch, sent } = deaf();
    const held = gate();
    let inner = 0;
    const slow: Middleware = async (request, next) => {
      held.arrive();
      await held.passed;
      return next(request);
    };
    const counting: Middleware = (request, next) => {
      inner++;
      return next(request);
    };
    await endWhile(held, ending, { fetch, middleware: [slow, counting] });
    expect(sent).toEqual(expected);
    expect(inner).toBe(expected.length);
  });

  it.each(ENDINGS)('while the last middleware took its time: %s', async (ending, expected) => {
    const { fetch, sent } = deaf();
    const held = gate();
    const slow: Middleware = async (request, next) => {
      held.arrive();
      await held.passed;
      return next(request);
    };
    await endWhile(held, ending, { fetch, middleware: [slow] });
    expect(sent).toEqual(expected);
  });
});

describe('an attempt that timed out', () => {
  /** A credential that never arrives for the first attempt. */
  const lateKey = () => {
    let asked = 0;
    return () => (asked++ ? API_KEY : new Promise<never>(() => {}));
  };

  it('has done nothing if it was not sent: a 404 to the next DELETE stays a 404', async () => {
    let sent = 0;
    const fetch: Fetch = async () => {
      sent++;
      return Response.json({ error: { code: 'NOT_FOUND', message: 'It is not there' } }, { status: 404 });
    };
    const svc = createClient({ apiKey: lateKey(), baseUrl, fetch, timeoutMs: 500 });
    await expect(svc.webhooks.endpoints.delete('whe_1')).rejects.toMatchObject({ code: 'NOT_FOUND', attempts: 2 });
    expect(sent).toBe(1);
  });

  it('has done nothing if it was not sent: a POST is made again', async () => {
    const { fetch, sent } = deaf();
    const svc = createClient({ apiKey: lateKey(), baseUrl, fetch, timeoutMs: 500 });
    expect(await svc.webhooks.endpoints.rotateSecret('whe_1')).toEqual({ id: 'whs_1' });
    expect(sent).toEqual(['POST']);
  });

  it('may have had an effect if it was sent', async () => {
    let sent = 0;
    const fetch: Fetch = async () => (sent++ ? Response.json({}, { status: 404 }) : new Promise<never>(() => {}));
    const svc = createClient({ apiKey: API_KEY, baseUrl, fetch, timeoutMs: 500 });
    expect(await svc.webhooks.endpoints.delete('whe_1')).toBeUndefined();
    sent = 0;
    await expect(svc.webhooks.endpoints.rotateSecret('whe_1')).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(sent).toBe(1);
  });
});
