import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followPeers } from '../../../src/fleet/follow-peers.ts';
import { createLogger } from '../../../src/runtime/logger.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A server that hears what the test says, and how often it has read the settings and the clock. */
async function follow(measure = async () => {}, hear = async () => {}) {
  const reload = vi.fn(async () => {});
  const databaseLost = vi.fn();
  const acts = new Map<string, () => Promise<unknown>>();
  const following = await followPeers({
    peers: {
      onHeard: (topic: string, act: () => Promise<unknown>) => void acts.set(topic, act),
      onLost: (act: () => Promise<unknown>) => void acts.set('lost', act),
    } as never,
    seenNodes: { look: async () => {} },
    schema: { isOutdated: async () => false },
    sharedTime: { measure },
    sharedClock: { refresh: async () => {}, hear },
    report: () => ({ attempts: 0, evaluations: 0, clockShowed: 0 }),
    catalog: { reload: async () => {} },
    faults: { reload },
    engine: { wake() {}, handOver() {}, endpointsChanged() {}, databaseLost },
    logger: createLogger('silent'),
  });
  return {
    following,
    databaseLost,
    looks: () => reload.mock.calls.length,
    say: (topic: string) => acts.get(topic)?.(),
  };
}

describe('A server that hears from no other server', () => {
  it('does not read the settings again within 999 ms', async () => {
    const { following, looks } = await follow();
    using _following = following;
    await vi.advanceTimersByTimeAsync(999);
    expect(looks()).toBe(1);
  });

  it('reads the settings again every second', async () => {
    const { following, looks } = await follow();
    using _following = following;
    for (let second = 1; second <= 3; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(looks()).toBe(second + 1);
    }
  });

  it('looks again in the next second if a look failed, but not while another one is still going on', async () => {
    const answers: PromiseWithResolvers<void>[] = [];
    let isFirst = true;
    const { following, looks } = await follow(() => {
      if (isFirst) {
        isFirst = false;
        return Promise.resolve();
      }
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    });
    using _following = following;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(answers).toHaveLength(1);
    answers[0]?.reject(new Error('away'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(answers).toHaveLength(2);
    answers[1]?.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks()).toBe(2);
  });
});

describe('A server that loses its connection to the others', () => {
  it('tells its engine, because a standby without the latest commits may take over', async () => {
    const { following, databaseLost, say } = await follow();
    using _following = following;
    expect(databaseLost).not.toHaveBeenCalled();
    void say('lost');
    expect(databaseLost).toHaveBeenCalledOnce();
  });
});

describe('A server that hears 2,000 messages at once', () => {
  /** Reads that end when the test says so, after the first `free` reads. */
  function holdReads(free: number) {
    const held: (() => void)[] = [];
    let count = 0;
    const read = () => (++count > free ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve());
    return { read, count: () => count, end: () => held.shift()?.() };
  }

  it.each(['settings', 'clock'])(
    'reads twice for the topic %s: now, and once more for all that came since',
    async (topic) => {
      // A server reads the settings once when it starts.
      const start = topic === 'settings' ? 1 : 0;
      const { read, count, end } = holdReads(start);
      const { following, say } = await (topic === 'settings' ? follow(read) : follow(undefined, read));
      using _following = following;
      const heard = vi.fn();
      const first = say(topic);
      for (let message = 1; message < 2_000; message++) void say(topic)?.then(heard);
      await vi.advanceTimersByTimeAsync(0);
      expect(count()).toBe(start + 1);
      end();
      await first;
      await vi.advanceTimersByTimeAsync(0);
      expect(count()).toBe(start + 2);
      expect(heard).not.toHaveBeenCalled();
      end();
      await vi.advanceTimersByTimeAsync(0);
      expect(heard).toHaveBeenCalledTimes(1_999);
      expect(count()).toBe(start + 2);
    },
  );

  it('reads again for a message that comes after the last read began', async () => {
    const { read, count, end } = holdReads(1);
    const { following, say } = await follow(read);
    using _following = following;
    for (let look = 1; look <= 3; look++) {
      const heard = say('settings');
      await vi.advanceTimersByTimeAsync(0);
      expect(count()).toBe(1 + look);
      end();
      await heard;
    }
  });
});
