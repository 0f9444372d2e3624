import { describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/index.ts';

const baseUrl = 'https://a.example';
const given = { apiKey: 'svc_sk_1', baseUrl };

// As JavaScript calls the client: without types.
// biome-ignore lint/suspicious/noExplicitAny: it stands for code without types.
type Untyped = any;
const create = createClient as (options: object) => Untyped;

/** A client, and what its calls sent. */
function client(options: object = given) {
  const fetch = vi.fn(async () => Response.json({ data: [], nextPageUrl: null, previousPageUrl: null }));
  return { svc: create({ ...options, fetch }), fetch };
}

describe('an unknown option of createClient', () => {
  it.each([
    ['timeout', 'timeoutMs'],
    ['apikey', 'apiKey'],
    ['token', 'accessToken'],
    ['baseURL', 'baseUrl'],
    ['retries', 'maxRetries'],
    ['maxRetires', 'maxRetries'],
    ['ratelimit', 'rateLimit'],
    ['middlewares', 'middleware'],
  ])('is refused, and the message names the right one: %s', (name, right) => {
    const message = expect.stringMatching(`^Unknown option ${name}: did you mean ${right}, `);
    expect(() => create({ ...given, [name]: 1 })).toThrow(expect.objectContaining({ name: 'UsageError', message }));
  });

  it('is refused with three names, even if none is like it', () => {
    expect(() => create({ ...given, zzz: 1 })).toThrow(
      /^Unknown option zzz: did you mean apiKey, accessToken, baseUrl\?$/,
    );
  });

  it('is not what a string in place of the options is called', async () => {
    expect(() => create('svc_sk_1' as never)).toThrow(/^Pass an object$/);
    const { svc, fetch } = client();
    await expect(svc.search('foo')).rejects.toThrow(/^Pass an object$/);
    await svc.search({ q: 'foo' });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('may have the name of a method of every object', () => {
    expect(() => create({ ...given, toString: 1 })).toThrow(/^Unknown option toString/);
  });

  it('is not an option that the client has', () => {
    create({ ...given, fetch, rateLimit: 'pace', middleware: [], logger: console, timeoutMs: 1, deadlineMs: 1 });
    create({ ...given, accessToken: undefined, maxRetries: 0, validate: undefined });
  });
});

describe('an unknown option of a call', () => {
  it.each<[string, (svc: Untyped) => Promise<unknown>, string]>([
    ['retrieve', (svc) => svc.me.retrieve({ timeout: 5 }), 'option timeout: did you mean timeoutMs, '],
    ['retrieve an id', (svc) => svc.events.retrieve('evt_1', { abort: 1 }), 'option abort: did you mean'],
    ['a body', (svc) => svc.workspaces.update('wsp_1', {}, { header: {} }), 'option header: did you mean headers, '],
    ['a list', (svc) => svc.events.list({}, { timeout: 5 }), 'option timeout: did you mean timeoutMs, '],
    ['expand', (svc) => svc.events.list({}, { expand: [] }), 'option expand: did you mean'],
    ['iteration', (svc) => svc.events.list({}, { retries: 5 }).first(), 'option retries: did you mean maxRetries, '],
    ['pages', (svc) => svc.events.list().pages({ maxPage: 5 }).next(), 'option maxPage: did you mean maxPages, '],
    [
      'resume',
      (svc) => svc.events.list.resume('/v1/events', { timeout: 5 }),
      'option timeout: did you mean timeoutMs, ',
    ],
    ['request', (svc) => svc.request('GET', '/v1/me', { querry: {} }), 'option querry: did you mean query, '],
  ])('is refused before anything is sent: %s', async (_, call, message) => {
    const { svc, fetch } = client();
    await expect(call(svc)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`Unknown ${message}`),
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('is none of those that a call has', async () => {
    const { svc, fetch } = client();
    const options = { signal: undefined, timeoutMs: 1000, deadlineMs: 1000, maxRetries: 0, headers: {} };
    await svc.events.list({ type: 'a' }, options);
    await svc.request('GET', '/v1/new', { ...options, query: { a: 1 }, body: undefined });
    await svc.events.list().pages({ direction: 'next', maxPages: 1, prefetch: true }).next();
    const user = client({ accessToken: 'svc_pat_1', baseUrl });
    await user.svc.organizations.list.resume('/v1/organizations', { ...options, expand: ['workspaces'] });
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(user.fetch).toHaveBeenCalledOnce();
  });
});

describe('an unknown option inside another option', () => {
  it.each(['oninvalid', 'onInvalidd', 'invalid'])('is refused, and the message names the right one: %s', (name) => {
    const validate = { schemas: {}, [name]: 'throw' };
    const message = expect.stringMatching(`^Unknown option ${name}: did you mean onInvalid, `);
    const refused = expect.objectContaining({ name: 'UsageError', message });
    expect(() => create({ ...given, validate } as never)).toThrow(refused);
    expect(() => client().svc.withOptions({ validate })).toThrow(refused);
  });
});

describe('an unknown option of a walk through a list', () => {
  it.each<[(svc: Untyped) => Promise<unknown>, string]>([
    [(svc) => svc.events.list().pages({ maxpages: 1 }).next(), 'option maxpages: did you mean maxPages, '],
    [(svc) => svc.events.list().collect({ limit: 5, maxPages: 1 }), 'option maxPages: did you mean limit?'],
    [(svc) => svc.events.list().collect({ Limit: 5 }), 'option Limit: did you mean limit?'],
  ])('is refused before anything is sent', async (walk, message) => {
    const { svc, fetch } = client();
    await expect(walk(svc)).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('an unknown parameter of a list', () => {
  it.each<[(svc: Untyped) => Promise<unknown>, string]>([
    [(svc) => svc.webhooks.deliveries.list({ statuss: 'failed' }), 'statuss: did you mean status, '],
    [(svc) => svc.webhooks.deliveries.list({ endpoint: 'whe_1' }), 'endpoint: did you mean endpointId, '],
    [(svc) => svc.events.list({ subject: 'wsp_1' }).first(), 'subject: did you mean subjectType, subjectId, '],
    [(svc) => svc.events.list({ limt: 5 }).collect({ limit: 5 }), 'limt: did you mean limit, '],
    [(svc) => svc.events.list({ pageSize: 5 }), 'pageSize: did you mean limit, '],
    [(svc) => svc.search({ query: 'ada' }), 'query: did you mean limit, q, '],
    [(svc) => svc.webhooks.endpoints.list({ signal: null }), 'signal: pass it after the parameters'],
    [(svc) => svc.events.list({ timeoutMs: 5 }), 'timeoutMs: pass it after the parameters'],
  ])('is refused before anything is sent', async (call, message) => {
    const { svc, fetch } = client();
    await expect(call(svc)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`Unknown parameter ${message}`),
      operation: expect.stringMatching(/^GET /),
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('is none of those that a list has', async () => {
    const { svc, fetch } = client();
    const user = client({ accessToken: 'svc_pat_1', baseUrl });
    await svc.events.list({ type: 'a', subjectType: 'b', subjectId: 'c', limit: 1 });
    const filters = { endpointId: 'whe_1', status: 'failed', eventType: 'a', createdFrom: 'b', createdTo: new Date() };
    await svc.webhooks.deliveries.list({ ...filters, limit: 1 });
    await svc.search({ q: 'a', type: 'b' });
    await user.svc.organizations.list({ expand: ['workspaces'], limit: 1 });
    await user.svc.workspaces.list(null);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(user.fetch).toHaveBeenCalledTimes(2);
  });
});
