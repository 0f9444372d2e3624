// One node of the crash test: an engine on a database. It accepts events from its parent, and says so once they are on disk.
import { startDeliveryEngine } from '../../src/delivery/engine.ts';
import { MasterKey } from '../../src/domain/master-key.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { acceptEvent } from '../../src/storage/statements/accept-event.ts';
import { openForNode } from './open-database.ts';
import { RETRY_DELAYS_MS } from './plan.ts';

/** What the parent asks. */
export type ToNode = { emit: { workspaceId: string; count: number } } | { tellInFlight: true } | { finish: true };
/** What the node answers. */
export type FromNode = { ready: true } | { accepted: string[] } | { inFlight: number } | { idle: boolean };

const [database = '', masterKey = '', concurrency = ''] = process.argv.slice(2);
const { storage, engineStorage } = await openForNode(database);
const clock = new VirtualClock();
const ids = createIds(clock);
const engine = await startDeliveryEngine({
  storage: engineStorage,
  clock,
  ids,
  masterKey: new MasterKey(Buffer.from(masterKey, 'hex')),
  logger: createLogger('error'),
  allowLoopback: true,
  allowNetworks: [],
  concurrency: Number(concurrency),
  endpointConcurrency: 8,
  retryDelaysMs: RETRY_DELAYS_MS,
  retryJitterPercent: 0,
});

const answer = (message: FromNode) => process.send?.(message);

process.on('message', async (message: ToNode) => {
  if ('tellInFlight' in message) {
    answer({ inFlight: (await engine.status()).inFlight });
    return;
  }
  if ('finish' in message) {
    const signal = AbortSignal.timeout(180_000);
    do await engine.whenIdle(signal);
    while ((await engine.nextDueAt()) !== undefined && !signal.aborted);
    answer({ idle: (await engine.nextDueAt()) === undefined });
    return;
  }
  const { workspaceId, count } = message.emit;
  // What the database refuses, while a frozen node holds its locks, say, is not accepted, and nothing is claimed of it.
  const settled = await Promise.allSettled(
    Array.from({ length: count }, () =>
      storage.write((queries) => {
        const subject = {
          id: workspaceId as `wsp_${string}`,
          type: 'workspace' as const,
          url: `/v1/workspaces/${workspaceId}`,
        };
        return acceptEvent(queries, ids, {
          id: ids.next('event'),
          workspaceId,
          type: 'lifecycle.evaluated',
          createdAt: clock.now(),
          subject,
        });
      }),
    ),
  );
  engine.wake();
  const accepted = settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  answer({ accepted: accepted.flatMap(({ id, status }) => (status === 'pending' ? [id] : [])) });
});
process.on('disconnect', () => process.exit());
answer({ ready: true });
