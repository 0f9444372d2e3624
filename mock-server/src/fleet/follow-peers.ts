import { joinRuns } from '../runtime/join-runs.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import type { Peers } from '../storage/postgres/peers.ts';
import type { NodeReport, SharedClock } from '../time/shared-clock.ts';
import type { SeenNodes } from './seen-nodes.ts';

interface FollowOptions {
  peers: Peers;
  seenNodes: Pick<SeenNodes, 'look'>;
  schema: { isOutdated(): Promise<boolean> };
  sharedTime: { measure(): Promise<void> };
  sharedClock: Pick<SharedClock, 'refresh' | 'hear'>;
  report(): NodeReport;
  catalog: { reload(): Promise<void> };
  faults: { reload(): Promise<void> };
  engine: { wake(): void; handOver(): void; endpointsChanged(): void; databaseLost(): void };
  logger: Logger;
}

export const otherNodesOver = (peers: Pick<Peers, 'hint'>) => ({
  askForLanes: () => peers.hint('hand-over'),
  tellOfLanes: () => peers.hint('work'),
});

/** How often a node reads the settings even if no message arrives, because messages can get lost. */
const POLL_INTERVAL_MS = 1_000;

/** Keeps this node's clock, event catalog and faults up to date, and wakes the engine for other nodes' deliveries. */
export async function followPeers(options: FollowOptions): Promise<Disposable> {
  const { peers, seenNodes, schema, sharedTime, sharedClock, report, catalog, faults, engine, logger } = options;
  // One run handles all messages that arrive during the previous run. Anyone who can connect to the database can send
  // messages, and a flood of messages must not delay API requests.
  const follow = joinRuns(async () => {
    if (await schema.isOutdated()) return;
    await seenNodes.look();
    await sharedTime.measure();
    await sharedClock.refresh();
    await catalog.reload();
    await faults.reload();
  });
  const hearClock = joinRuns(sharedClock.hear);
  const looking = createWorkLoop({
    async run() {
      await follow();
      looking.requestIn(POLL_INTERVAL_MS);
    },
    failed: (error) => logger.warn({ err: error }, 'cannot read the settings'),
  });
  peers.onHeard('work', () => engine.wake());
  peers.onHeard('hand-over', () => engine.handOver());
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
  // The settings may have changed since this node read them at startup.
  await follow();
  looking.requestIn(POLL_INTERVAL_MS);
  return { [Symbol.dispose]: () => void looking.stop() };
}
