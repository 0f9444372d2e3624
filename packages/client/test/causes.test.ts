import { ApiError, createClient, NetworkError } from '@svc/client';
import { describe, expect, it, vi } from 'vitest';

const clientWith = (fetch: typeof globalThis.fetch, more: object = {}) =>
  createClient({ apiKey: 'svc_sk_test_x', baseUrl: 'https://api.test', fetch, ...more });

describe('the stack of an error', () => {
  const problem = { error: { code: 'NOT_FOUND', message: 'No such delivery', requestId: 'req_1' } };
  const svc = clientWith(async () => Response.json(problem, { status: 404 }));

  it.each<[string, () => Promise<unknown>]>([
    ['a read', async () => await svc.webhooks.deliveries.retrieve('whd_1')],
    ['a read with its response', async () => await svc.me.retrieve().withResponse()],
    ['a list', async () => await svc.events.list()],
    ['a write', async () => await svc.webhooks.endpoints.rotateSecret('whe_1')],
  ])('contains the function that awaited %s', async (_, call) => {
    const callTheService = async () => await call();
    const error = (await callTheService().catch((thrown) => thrown)) as Error;
    expect(error).toBeInstanceOf(ApiError);
    expect(error.stack).toMatch(/at (async )?callTheService /);
  });

  it('is no reason to end the process if nobody awaits a read, or somebody does later', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const read = svc.me.retrieve();
    svc.webhooks.deliveries.retrieve('not an id');
    // Node reports unhandled rejections before the next turn of its event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(read).rejects.toBeInstanceOf(ApiError);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('a thrown value', () => {
  it('may be an error that is its own cause', async () => {
    const error: Error & { cause?: unknown } = new Error('round and round');
    error.cause = error;
    const svc = clientWith(async () => Promise.reject(error), { maxRetries: 0 });
    await expect(svc.me.retrieve()).rejects.toBeInstanceOf(NetworkError);
  });

  it.each<[string, unknown, RegExp]>([
    ['an error whose message is a symbol', Object.assign(new Error(), { message: Symbol('m') }), /: no reason given$/],
    ['an error whose code is a symbol', Object.assign(new Error('boom'), { code: Symbol('c') }), /: boom$/],
    ['a symbol', Symbol('s'), /: no reason given$/],
    ['a text', 'boom svc_sk_test_x', /: boom \[credential\]$/],
    ['an object without a prototype', Object.create(null), /: no reason given$/],
    ['an error caused by that', new Error('outer', { cause: Object.create(null) }), /: no reason given$/],
    ['nothing', undefined, /: no reason given$/],
  ])('may be %s', async (_, thrown, message) => {
    const svc = clientWith(() => Promise.reject(thrown), { maxRetries: 0 });
    await expect(svc.me.retrieve()).rejects.toMatchObject({ name: 'NetworkError', attempts: 1, message });
  });

  it('does not repeat a write once a response has begun, even if it says that the connection was refused', async () => {
    let posts = 0;
    const svc = clientWith(async () => {
      posts += 1;
      const body = new ReadableStream({ start: (stream) => stream.error(new Error('upstream connection refused')) });
      return new Response(body, { status: 200 });
    });
    await expect(svc.webhooks.endpoints.rotateSecret('whe_1')).rejects.toBeInstanceOf(NetworkError);
    expect(posts).toBe(1);
  });

  it('comes out of a middleware unchanged, even if it looks like an error of another library', async () => {
    const error = Object.assign(new Error('mine'), { request: {} });
    const middleware = [() => Promise.reject(error)];
    const svc = clientWith(async () => new Response('{}'), { middleware, maxRetries: 0 });
    await expect(svc.me.retrieve()).rejects.toBe(error);
  });

  it('shows only the origin of a page URL of another origin', async () => {
    const page = { data: [], nextPageUrl: 'https://evil.test/?token=svc_sk_test_x', previousPageUrl: null };
    const svc = clientWith(async () => Response.json(page));
    const error = await svc.events
      .list()
      .collect({ limit: 5 })
      .catch((thrown: Error) => thrown);
    expect(String(error)).toContain('https://evil.test');
    expect(String(error)).not.toContain('svc_sk_test_x');
  });
});
