import { describe, expect, it } from 'vitest';
import { lowestIdAt } from '../src/domain/id-time.ts';
import { VirtualClock } from '../src/runtime/clock.ts';
import { createIds } from '../src/runtime/ids.ts';
import { openSqlite } from '../src/storage/sqlite/open.ts';
import { createTimeline } from '../src/timeline.ts';

const START = Date.parse('2031-03-01T00:00:00.000Z');

/** Up to which id deliveries have steps of their own, where the clock is moved while more and more falls due. */
async function latestIdWithSteps({ isFrozen }: { isFrozen: boolean }): Promise<string> {
  await using storage = await openSqlite(':memory:');
  const clock = new VirtualClock(() => START);
  if (isFrozen) clock.freeze();
  let latest: string | undefined;
  const timeline = createTimeline({
    clock,
    ids: createIds(clock),
    storage,
    deliveries: {
      async pause() {},
      resume() {},
      runDue: async () => 1,
      nextDueAt: async () => clock.now(),
      async nextDueLater(upToId) {
        latest = upToId;
        return undefined;
      },
      status: async () => ({ pending: 0, inFlight: 0, nextDueAt: undefined }),
      whenIdle: async () => true,
    },
    fleet: undefined,
    lastReset: undefined,
  });
  await timeline.advance((now) => now + 60_000);
  return latest ?? '';
}

/** The first delivery's id of so many milliseconds behind the beginning. */
const idAt = (ms: number) => lowestIdAt('webhookDelivery', START + ms);

describe('A clock that is moved while more and more falls due', () => {
  it('has steps for each delivery up to the present one, where it ran', async () => {
    const latest = await latestIdWithSteps({ isFrozen: false });
    expect([idAt(0) <= latest, idAt(1) <= latest]).toEqual([true, false]);
  });

  it('has steps for those with ids up to 5 s ahead, where it stood still, and for none beyond', async () => {
    const latest = await latestIdWithSteps({ isFrozen: true });
    expect([idAt(5_000) <= latest, idAt(5_001) <= latest]).toEqual([true, false]);
  });
});
