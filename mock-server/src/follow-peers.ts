import type { OtherNodes } from './delivery/dispatcher.ts';
import type { Logger } from './runtime/logger.ts';
import type { Peers } from './storage/postgres/peers.ts';

/** What a node does about what other nodes did. */
interface FollowOptions {
  peers: Peers;
  schema: { isOutdated(): Promise<boolean> };
  sharedTime: { measure(): Promise<void> };
  timeline: { refresh(): Promise<void> };
  catalog: { reload(): Promise<void> };
  faults: { reload(): Promise<void> };
  engine: { wake(): void; standBack(): void; share(): void; endpointsChanged(): void };
  logger: Logger;
}

/** What the engine tells the other nodes, over their database. */
export const otherNodesOver = (peers: Pick<Peers, 'hint'>): OtherNodes => ({
  askForLanes: () => peers.hint('lanes'),
  askForShare: () => peers.hint('share'),
  tellOfLanes: () => peers.hint('work'),
});

/** How often a node looks at the settings although it heard nothing: behind a pooler it cannot hear. */
const LOOK_INTERVAL_MS = 1_000;

/** Keeps this node's clock, event catalog and faults to the database's, lets it deliver what other nodes accepted, and lets it stand back for them. */
export async function followPeers({
  peers,
  schema,
  sharedTime,
  timeline,
  catalog,
  faults,
  engine,
  logger,
}: FollowOptions): Promise<Disposable> {
  async function follow(): Promise<void> {
    if (await schema.isOutdated()) return;
    await sharedTime.measure();
    await timeline.refresh();
    await catalog.reload();
    await faults.reload();
  }
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    follow()
      .catch((error: unknown) => logger.warn({ err: error }, 'the settings cannot be looked at'))
      .finally(() => {
        looking = false;
      });
  }, LOOK_INTERVAL_MS);
  peers.onHeard('work', () => engine.wake());
  peers.onHeard('lanes', () => engine.standBack());
  peers.onHeard('share', () => engine.share());
  peers.onHeard('endpoints', () => engine.endpointsChanged());
  peers.onHeard('settings', async () => {
    await follow();
    engine.wake();
  });
  // Between the first look at the settings and now, another node may have changed them.
  await follow();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
