import { joinRuns } from '../runtime/join-runs.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Peers } from '../storage/postgres/peers.ts';
import type { NodeReport, SharedClock } from '../time/shared-clock.ts';
import type { SeenNodes } from './seen-nodes.ts';

/** What a node needs to react to other nodes. */
interface FollowOptions {
  peers: Peers;
  seenNodes: Pick<SeenNodes, 'look'>;
  schema: { isOutdated(): Promise<boolean> };
  sharedTime: { measure(): Promise<void> };
  sharedClock: Pick<SharedClock, 'refresh' | 'hear'>;
  /** What this node reports to a node that moves the clock. */
  report(): NodeReport;
  catalog: { reload(): Promise<void> };
  faults: { reload(): Promise<void> };
  engine: { wake(): void; share(): void; endpointsChanged(): void };
  logger: Logger;
}

/** The other nodes, as the engine needs them. */
export const otherNodesOver = (peers: Pick<Peers, 'hint'>) => ({
  askForShare: () => peers.hint('share'),
  tellOfLanes: () => peers.hint('work'),
});

/** How often a node reads the settings even without a message. Behind a pooler, it receives no messages. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Keeps this node's clock, event catalog and faults equal to the database's, and delivers what other nodes accepted.
 */
export async function followPeers({
  peers,
  seenNodes,
  schema,
  sharedTime,
  sharedClock,
  report,
  catalog,
  faults,
  engine,
  logger,
}: FollowOptions): Promise<Disposable> {
  // Anyone who can connect to the database can send any number of messages. Requests to the API must not wait for them.
  const follow = joinRuns(async () => {
    if (await schema.isOutdated()) return;
    await seenNodes.look();
    await sharedTime.measure();
    await sharedClock.refresh();
    await catalog.reload();
    await faults.reload();
  });
  const hearClock = joinRuns(sharedClock.hear);
  let looking = false;
  let closed = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    follow()
      .catch((error: unknown) => {
        if (!closed) logger.warn({ err: error }, 'cannot read the settings');
      })
      .finally(() => {
        looking = false;
      });
  }, LOOK_INTERVAL_MS).unref();
  peers.onHeard('work', () => engine.wake());
  peers.onHeard('share', () => engine.share());
  peers.onHeard('endpoints', () => engine.endpointsChanged());
  peers.onHeard('settings', async () => {
    await follow();
    engine.wake();
  });
  peers.onHeard('clock', async () => {
    // The clock is read from the database, because a message may be forged.
    await hearClock();
    return report();
  });
  // Another node may have changed the settings since they were first read, so read them again.
  await follow();
  return {
    [Symbol.dispose]() {
      closed = true;
      clearInterval(timer);
    },
  };
}
