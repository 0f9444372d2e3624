import { createWebhooks, type WebhooksOptions } from '@svc/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVALUATED, NOW_MS, NOW_SECONDS, SECRET, signedMessage, signedRequest } from './support/message.ts';

const create = (options: Partial<WebhooksOptions> = {}) =>
  createWebhooks({ secrets: SECRET, now: NOW_MS, onReject() {}, ...options });
const reserialized = () => {
  const { headers } = signedMessage({ body: EVALUATED });
  const body = JSON.stringify(JSON.parse(EVALUATED), null, 2);
  return new Request('https://receiver.test/', { method: 'POST', headers, body });
};

describe('debugging', () => {
  const debug = vi.spyOn(console, 'debug');
  beforeEach(() => void debug.mockReset().mockImplementation(() => {}));
  afterEach(() => void vi.unstubAllEnvs());
  const lines = () => debug.mock.calls.flat().map((line) => String(line).replace(/\d+ ms/, 'n ms'));

  it.each<[string, Partial<WebhooksOptions>]>([
    ['fixed secrets', {}],
    ['a function', { secrets: async () => [SECRET] }],
  ])('explains every rejected request, with %s, and never shows a secret', async (_, options) => {
    const webhooks = create({ debug: true, ...options });
    for (const times of [1, 2]) {
      await webhooks.fetch(reserialized());
      await vi.waitFor(() => expect(lines()).toHaveLength(times));
    }
    expect(new Set(lines())).toEqual(
      new Set([
        `@svc/webhooks: rejected, no_match: No signature matches this secret. Use this endpoint's secret, and pass the raw body. Likely cause: the body was parsed and serialized again: the JSON is the same, but its bytes are not.`,
      ]),
    );
    expect(lines().join()).not.toContain(SECRET.slice(6, 14));
  });

  it('says how old a request is, and explains what verify throws', async () => {
    const webhooks = create({ debug: true });
    webhooks.check(signedMessage({ timestamp: NOW_SECONDS - 1000 }));
    await vi.waitFor(() => expect(lines()).toEqual([expect.stringMatching(/timestamp_too_old: .* is 1000 s old\.$/)]));
  });

  describe('hostile requests', () => {
    const hostile = (body: string) => {
      const { headers } = signedMessage();
      return new Request('https://receiver.test/', { method: 'POST', headers, body });
    };
    /** An envelope whose keys and subject's keys have 576 orders. */
    const withManyOrders = (bytes: number) =>
      JSON.stringify({ id: 'evt_1', type: 'a', note: 'x'.repeat(bytes), subject: { a: 1, b: 2, c: 3, d: 4 } });
    /** Sends requests, one after the other, and returns what is written about each. */
    async function explanationsOf(...bodies: string[]): Promise<(string | undefined)[]> {
      const webhooks = create({ debug: true });
      for (const [index, body] of bodies.entries()) {
        await webhooks.fetch(hostile(body));
        await vi.waitFor(() => expect(lines()).toHaveLength(index + 1));
      }
      return lines().map((line) => /(?:No common|The receiver d(?:oes|id) not search).*$/.exec(line)?.[0]);
    }

    it('is not searched for the cause if its body is large', async () => {
      expect(await explanationsOf(withManyOrders(64 * 1024))).toEqual([
        'The receiver does not search such a large body for the cause: save the request, and run svc-webhooks verify.',
      ]);
    });

    it('makes the process search for causes for a tenth of its time at most', async () => {
      const all = await explanationsOf(...Array.from({ length: 30 }, () => withManyOrders(4_000)));
      expect(all[0]).toMatch(/^No common change/);
      expect(all.at(-1)).toBe('The receiver did not search for the cause, because it rejects too many requests.');
    });

    it('cannot make its JSON thousands of times as long by nesting', async () => {
      const built = vi.spyOn(JSON, 'stringify');
      await explanationsOf('['.repeat(5_000) + ']'.repeat(5_000));
      const longest = Math.max(0, ...built.mock.results.map(({ value }) => String(value).length));
      built.mockRestore();
      expect(longest).toBeLessThan(20_000);
    });
  });

  it('says which handler ran, and for how long', async () => {
    const webhooks = create({ debug: true });
    webhooks.on('lifecycle.*', () => {});
    webhooks.on(['webhook.ping', 'webhook.*'], () => {});
    await webhooks.fetch(signedRequest());
    expect(lines()).toEqual(['@svc/webhooks: whd_1: webhook.ping,webhook.* took n ms']);
  });

  it('says that no handler takes an event, for example because its pattern is mistyped', async () => {
    const webhooks = create({ debug: true });
    webhooks.on('webhook.pnig', () => {});
    await webhooks.fetch(signedRequest());
    expect(lines()).toEqual(['@svc/webhooks: whd_1: no handler for webhook.ping']);
  });

  it('writes no character of an event type that controls a terminal', async () => {
    const webhooks = create({ debug: true });
    const type = 'x\u001b]52;c;aGk=\u0007\u009d\u202e\ny';
    await webhooks.fetch(signedRequest({ body: JSON.stringify({ id: 'evt_1', type, created: '' }) }));
    expect(lines()).toEqual(['@svc/webhooks: whd_1: no handler for x?]52;c;aGk=????y']);
  });

  it('is switched on by SVC_DEBUG=1, unless the option says no', async () => {
    const handled = async (options: Partial<WebhooksOptions> = {}) => {
      const webhooks = create(options);
      webhooks.on('*', () => {});
      await webhooks.fetch(signedRequest());
      return debug.mock.calls.splice(0).length;
    };
    expect(await handled()).toBe(0);
    vi.stubEnv('SVC_DEBUG', '1');
    expect(await handled()).toBe(1);
    expect(await handled({ debug: false })).toBe(0);
    vi.stubEnv('SVC_DEBUG', '0');
    expect(await handled()).toBe(0);
  });
});
