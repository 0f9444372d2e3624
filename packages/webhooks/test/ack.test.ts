import { createWebhooks, memoryDedupe, type WebhooksOptions } from '@svc/webhooks';
import { createLambdaHandler } from '@svc/webhooks/lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NOW_MS, SECRET, signedRequest } from './support/message.ts';

const receiver = (options: Partial<WebhooksOptions> = {}) =>
  createWebhooks({ secrets: SECRET, now: NOW_MS, ...options });
const responseOf = async (response: Promise<Response>) => [(await response).status, await (await response).json()];

describe("ack: 'first'", () => {
  it('responds before the handler ends, and the platform waits for the handler', async () => {
    const gate = Promise.withResolvers<void>();
    const waited: Promise<unknown>[] = [];
    const platform = { waitUntil: (work: Promise<unknown>) => void waited.push(work) };
    const ended: string[] = [];
    const webhooks = receiver({ ack: 'first' });
    webhooks.on('*', async () => {
      await gate.promise;
      ended.push('handler');
    });
    // As second argument, as Vercel passes it, and as third, as Workers do. And without any, as in Node.
    expect(await responseOf(webhooks.fetch(signedRequest(), platform))).toEqual([200, { outcome: 'accepted' }]);
    expect(await responseOf(webhooks.fetch(signedRequest(), { env: 1 }, platform))).toEqual([
      200,
      { outcome: 'accepted' },
    ]);
    expect(await responseOf(webhooks.fetch(signedRequest()))).toEqual([200, { outcome: 'accepted' }]);
    expect([waited.length, ended.length]).toEqual([2, 0]);
    gate.resolve();
    await Promise.all(waited);
    await vi.waitFor(() => expect(ended).toHaveLength(3));
  });

  it('rejects what is not verified, and responds to copies as without it', async () => {
    const gate = Promise.withResolvers<void>();
    const webhooks = receiver({ ack: 'first', dedupe: memoryDedupe(), onReject() {} });
    const waited: Promise<unknown>[] = [];
    webhooks.on('*', () => gate.promise);
    const post = () => webhooks.fetch(signedRequest(), {}, { waitUntil: (work) => void waited.push(work) });
    expect((await webhooks.fetch(signedRequest({ key: Buffer.alloc(32) }))).status).toBe(401);
    expect(await responseOf(post())).toEqual([200, { outcome: 'accepted' }]);
    expect((await post()).status).toBe(409);
    gate.resolve();
    await Promise.all(waited);
    expect(await responseOf(post())).toEqual([200, { outcome: 'duplicate' }]);
  });

  it('passes what a handler throws to onError, releases the claim, and leaves no unhandled rejection', async () => {
    const failures: unknown[] = [];
    const waited: Promise<unknown>[] = [];
    const webhooks = receiver({ ack: 'first', dedupe: memoryDedupe(), onError: (error) => failures.push(error) });
    webhooks.on('*', () => {
      throw new RangeError('full');
    });
    const post = () => webhooks.fetch(signedRequest(), {}, { waitUntil: (work) => void waited.push(work) });
    for (let count = 0; count < 2; count++) {
      expect((await post()).status).toBe(200);
      await Promise.all(waited);
    }
    expect(failures).toEqual([new RangeError('full'), new RangeError('full')]);
  });

  it('is refused by Lambda, which says why, unlike the default', () => {
    expect(() => createLambdaHandler(receiver({ ack: 'first' }))).toThrow(
      /freezes a function as soon as it has responded/,
    );
    expect(createLambdaHandler(receiver({ ack: 'after' }))).toBeTypeOf('function');
  });
});

describe('a handler that takes 8 seconds', () => {
  afterEach(() => void vi.useRealTimers());

  const warningsAfter = async (ms: number, options: Partial<WebhooksOptions> = {}) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const gate = Promise.withResolvers<void>();
    const running = Promise.withResolvers<void>();
    const webhooks = receiver(options);
    webhooks.on('*', () => {
      running.resolve();
      return gate.promise;
    });
    const response = webhooks.fetch(signedRequest());
    await running.promise;
    vi.advanceTimersByTime(ms);
    gate.resolve();
    expect((await response).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
    const { calls } = warn.mock;
    warn.mockRestore();
    return calls;
  };

  it('is warned about, before the service gives up', async () => {
    expect(await warningsAfter(8000)).toEqual([
      [['webhook.ping'], "took 8 of 10 s. Queue the work, or set ack: 'first'."],
    ]);
  });

  it('is not warned about if it ends earlier, or if the response came first', async () => {
    expect(await warningsAfter(7999)).toEqual([]);
    expect(await warningsAfter(20_000, { ack: 'first' })).toEqual([]);
  });
});
