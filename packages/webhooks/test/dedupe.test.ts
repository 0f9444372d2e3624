import { createWebhooks, type DedupeStore, memoryDedupe } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { NOW_MS, PING, SECRET, signedMessage, signedRequest } from './support/message.ts';

/** A receiver that counts how often its handler runs. The handler waits for `gate`. */
function counting(dedupe: DedupeStore, gate: Promise<unknown> = Promise.resolve()) {
  const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS, dedupe, onError: () => {} });
  const counted = { webhooks, runs: 0, fails: false };
  webhooks.on('*', async () => {
    counted.runs += 1;
    await gate;
    if (counted.fails) throw new Error('not now');
  });
  return counted;
}

const claim = (token: string) => ({ token, leaseSeconds: 240, lifetimeSeconds: 345_600 });

describe('deduplication', () => {
  it('runs the handlers once for two copies', async () => {
    const counted = counting(memoryDedupe());
    const delivery = counted.webhooks.verify(signedMessage());
    expect(await counted.webhooks.dispatch(delivery)).toBe('handled');
    expect(await counted.webhooks.dispatch(delivery)).toBe('duplicate');
    expect(counted.runs).toBe(1);
  });

  it('is off without a store', async () => {
    const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS });
    let runs = 0;
    webhooks.on('*', () => {
      runs += 1;
    });
    const delivery = webhooks.verify(signedMessage());
    expect([await webhooks.dispatch(delivery), await webhooks.dispatch(delivery)]).toEqual(['handled', 'handled']);
    expect(runs).toBe(2);
  });

  it('runs the handlers once if 50 copies arrive at the same time, and answers the others with 409 and Retry-After', async () => {
    const gate = Promise.withResolvers<void>();
    const counted = counting(memoryDedupe(), gate.promise);
    const answers = Array.from({ length: 50 }, () => counted.webhooks.fetch(signedRequest()));
    const busy = await Promise.race(answers);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([409, '60']);
    gate.resolve();
    const statuses = (await Promise.all(answers)).map((answer) => answer.status);
    expect(statuses.toSorted()).toEqual([200, ...Array(49).fill(409)]);
    expect(counted.runs).toBe(1);
  });

  it('runs the handlers again on a retry if one threw', async () => {
    const counted = counting(memoryDedupe());
    counted.fails = true;
    expect((await counted.webhooks.fetch(signedRequest())).status).toBe(500);
    counted.fails = false;
    expect((await counted.webhooks.fetch(signedRequest())).status).toBe(200);
    expect((await counted.webhooks.fetch(signedRequest())).status).toBe(200);
    expect(counted.runs).toBe(2);
  });

  it('claims nothing before the signature is verified', async () => {
    const claimed: string[] = [];
    const store = { ...memoryDedupe(), claim: (id: string) => (claimed.push(id) ? 'new' : 'done') } as const;
    const counted = counting(store);
    await counted.webhooks.fetch(signedRequest({ key: Buffer.alloc(32) }));
    expect(claimed).toEqual([]);
    await counted.webhooks.fetch(signedRequest());
    expect(claimed).toEqual(['whd_1']);
  });

  it.each([true, 'OK', 1, null, undefined])(
    'responds with 500 if the store returns %o, and says what is allowed',
    async (result) => {
      const errors: unknown[] = [];
      const dedupe = { ...memoryDedupe(), claim: async () => result as 'new' };
      const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS, dedupe, onError: (error) => errors.push(error) });
      let runs = 0;
      webhooks.on('*', () => {
        runs += 1;
      });
      expect((await webhooks.fetch(signedRequest())).status).toBe(500);
      expect(errors).toEqual([new TypeError(`claim must return new, done or busy, not ${result}`)]);
      expect(runs).toBe(0);
    },
  );

  it('distinguishes deliveries by webhook-id, not by the event', async () => {
    const counted = counting(memoryDedupe());
    await counted.webhooks.fetch(signedRequest({ id: 'whd_1', body: PING }));
    await counted.webhooks.fetch(signedRequest({ id: 'whd_2', body: PING }));
    expect(counted.runs).toBe(2);
  });

  it("reports the handler's error even if the store then fails to release the claim", async () => {
    const broken = { ...memoryDedupe(), release: () => Promise.reject(new Error('store is away')) };
    const counted = counting(broken);
    counted.fails = true;
    await expect(counted.webhooks.dispatch(counted.webhooks.verify(signedMessage()))).rejects.toThrow('not now');
  });

  it('has a lifetime of 96 hours and a lease of 240 seconds by default, and rejects a lifetime under 600 seconds', async () => {
    const given: object[] = [];
    const store: DedupeStore = { ...memoryDedupe(), commit: (_, { token, ...rest }) => given.push(rest) };
    await counting(store).webhooks.fetch(signedRequest());
    expect(given).toEqual([{ leaseSeconds: 240, lifetimeSeconds: 345_600 }]);
    for (const dedupeLifetimeSeconds of [599, 0, Number.NaN]) {
      expect(() => createWebhooks({ secrets: SECRET, dedupe: store, dedupeLifetimeSeconds })).toThrow(RangeError);
    }
    expect(() => createWebhooks({ secrets: SECRET, dedupe: store, dedupeLifetimeSeconds: 600 })).not.toThrow();
  });
});

describe('memoryDedupe', () => {
  it('forgets a claim when its lease ends, and a delivery when its lifetime does', () => {
    let nowMs = 0;
    const store = memoryDedupe({ now: () => nowMs });
    expect(store.claim('a', claim('1'))).toBe('new');
    nowMs = 239_999;
    expect(store.claim('a', claim('2'))).toBe('busy');
    nowMs = 240_000;
    expect(store.claim('a', claim('2'))).toBe('new');
    store.commit('a', claim('2'));
    nowMs += 345_599_999;
    expect(store.claim('a', claim('3'))).toBe('done');
    nowMs += 1;
    expect(store.claim('a', claim('3'))).toBe('new');
  });

  it('ignores a commit or release from anyone who does not hold the claim', () => {
    const store = memoryDedupe();
    store.claim('a', claim('1'));
    store.release('a', claim('2'));
    store.commit('a', claim('2'));
    expect(store.claim('a', claim('3'))).toBe('busy');
    store.commit('a', claim('1'));
    store.release('a', claim('1'));
    expect(store.claim('a', claim('3'))).toBe('done');
  });

  it('never holds more than maxEntries', () => {
    const store = memoryDedupe({ maxEntries: 2 });
    for (const id of ['a', 'b', 'c']) {
      store.claim(id);
      store.commit(id);
    }
    expect(['b', 'c', 'a'].map((id) => store.claim(id))).toEqual(['done', 'done', 'new']);
  });

  it('forgets the delivery that finished first, even if an unfinished one is older', () => {
    const store = memoryDedupe({ maxEntries: 3 });
    store.claim('running');
    for (const id of ['b', 'a']) store.claim(id);
    for (const id of ['a', 'b']) store.commit(id);
    expect(store.claim('c')).toBe('new');
    expect(['running', 'b', 'c'].map((id) => store.claim(id))).toEqual(['busy', 'done', 'busy']);
  });

  it('refuses another delivery if all its entries are being handled, until a lease ends', async () => {
    let nowMs = 0;
    const store = memoryDedupe({ maxEntries: 2, now: () => nowMs });
    store.claim('a', claim('1'));
    nowMs = 1;
    store.claim('b', claim('2'));
    expect(() => store.claim('c', claim('3'))).toThrow('Raise maxEntries: all 2 are in progress.');
    expect(['a', 'b'].map((id) => store.claim(id, claim('4')))).toEqual(['busy', 'busy']);
    // The service sends it again.
    expect((await counting(store).webhooks.fetch(signedRequest())).status).toBe(500);
    nowMs = 240_000;
    expect(['c', 'b', 'd'].map((id) => id !== 'd' && store.claim(id, claim('5')))).toEqual(['new', 'busy', false]);
    store.commit('a', claim('1'));
    expect(() => store.claim('a', claim('6'))).toThrow(/Raise maxEntries/);
  });
});
