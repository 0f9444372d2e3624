import { joinRuns } from '../runtime/join-runs.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Peers } from '../storage/postgres/peers.ts';
import type { NodeReport, SharedClock } from '../time/shared-clock.ts';
import type { SeenNodes } from './seen-nodes.ts';

interface FollowOptions {
  peers: Peers;
  seenNodes: Pick<SeenNodes, 'look'>;
  schema: { isOutdated(): Promise<boolean> };
  sharedTime: { measure(): Promise<void> };
  sharedClock: Pick<SharedClock, 'refresh' | 'hear'>;
  /** Returns the report that this node sends to a node that moves the clock. */
  report(): NodeReport;
  catalog: { reload(): Promise<void> };
  faults: { reload(): Promise<void> };
  engine: { wake(): void; share(): void; endpointsChanged(): void; databaseLost(): void };
  logger: Logger;
}

/** Returns the functions with which the delivery engine notifies the other nodes. */
export const otherNodesOver = (peers: Pick<Peers, 'hint'>) => ({
  askForShare: () => peers.hint('share'),
  tellOfLanes: () => peers.hint('work'),
});

/** How often a node reads the settings even if no message arrives. This is necessary because messages can get lost. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Keeps this node's clock, event catalog and faults up to date with the database, and wakes the engine for deliveries
 * that other nodes accepted.
 */
export async function followPeers(options: FollowOptions): Promise<Disposable> {
  const { peers, seenNodes, schema, sharedTime, sharedClock, report, catalog, faults, engine, logger } = options;
  // One run handles all messages that arrive during the previous run. Otherwise, messages could delay requests to the
  // API, because anyone who can connect to the database can send any number of messages.
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
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    try {
      await follow();
    } catch (error) {
      if (!closed) logger.warn({ err: error }, 'cannot read the settings');
    }
    looking = false;
  }, LOOK_INTERVAL_MS).unref();
  peers.onHeard('work', () => engine.wake());
  peers.onHeard('share', () => engine.share());
  peers.onHeard('endpoints', () => engine.endpointsChanged());
  peers.onLost(() => engine.databaseLost());
  peers.onHeard('settings', async () => {
    await follow();
    engine.wake();
  });
  peers.onHeard('clock', async () => {
    // Read the clock from the database, because a message may be forged.
    await hearClock();
    return report();
  });
  // Another node may have changed the clock, the catalog or the faults since this node read them at startup.
  await follow();
  return {
    [Symbol.dispose]() {
      closed = true;
      clearInterval(timer);
    },
  };
}
