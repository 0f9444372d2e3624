import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followPeers } from '../../../src/fleet/follow-peers.ts';
import { createLogger } from '../../../src/runtime/logger.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A server that hears from no other server, and how often it has read the settings itself. */
async function follow(measure = async () => {}) {
  const reload = vi.fn(async () => {});
  const following = await followPeers({
    peers: { onHeard: () => {} } as never,
    seenNodes: { look: async () => {} },
    schema: { isOutdated: async () => false },
    sharedTime: { measure },
    sharedClock: { refresh: async () => {}, hear: async () => {} },
    report: () => ({ attempts: 0, evaluations: 0 }),
    catalog: { reload: async () => {} },
    faults: { reload },
    engine: { wake() {}, share() {}, endpointsChanged() {} },
    logger: createLogger('silent'),
  });
  return { following, looks: () => reload.mock.calls.length };
}

describe('A server that hears from no other server', () => {
  it('does not look at the settings again within 999 ms', async () => {
    const { following, looks } = await follow();
    using _following = following;
    await vi.advanceTimersByTimeAsync(999);
    expect(looks()).toBe(1);
  });

  it('looks at the settings again every second', async () => {
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
