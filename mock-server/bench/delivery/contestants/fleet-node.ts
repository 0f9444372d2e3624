// One node of a fleet: this project's delivery engine with the metrics and logs of a server. The node shares a
// PostgreSQL database with other processes.
import { MasterKey } from '../../../src/domain/master-key.ts';
import { otherNodesOver } from '../../../src/fleet/follow-peers.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { createMetrics } from '../../../src/runtime/metrics.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { connectPostgres } from '../../../src/storage/postgres/open.ts';
import { joinPeers, type Peers } from '../../../src/storage/postgres/peers.ts';
import { VirtualClock } from '../../../src/time/clock.ts';
import { compete } from '../contestant.ts';
import { startBenchEngine } from '../world.ts';

/** Tells a node to connect to a database, or to deliver until no node has anything left to do. */
export type NodeOrder = { task: 'connect'; databaseUrl: string; masterKey: string } | { task: 'deliver' };

/** What a node has done in a run. */
export interface NodeReport {
  /** The number of attempts whose results the node stored. */
  made: number;
  /** The number of batches in which the node stored these results. */
  writes: number;
  /** When the node last stored a result, in milliseconds since the epoch. */
  lastWrittenAt: number;
  /** The processor time of the node's process. */
  cpuMicros: number;
}

let connected: { storage: Storage; peers: Peers; masterKey: MasterKey } | undefined;

compete<NodeOrder, NodeReport | 'connected'>(async (order) => {
  if (order.task === 'deliver') return await deliver();
  const storage = connectPostgres(order.databaseUrl, 'engine');
  await storage.read((queries) => queries.selectFrom('organizations').select('id').limit(1).execute());
  const peers = await joinPeers(order.databaseUrl, console.error);
  connected = { storage, peers, masterKey: new MasterKey(Buffer.from(order.masterKey, 'hex')) };
  return 'connected';
});

async function deliver(): Promise<NodeReport> {
  if (!connected) throw new Error('The node is not connected.');
  await using storage = connected.storage;
  await using peers = connected.peers;
  const { masterKey } = connected;
  const clock = new VirtualClock();
  const { delivery: observer } = createMetrics();
  let made = 0;
  let writes = 0;
  let lastWrittenAt = Date.now();
  const before = process.cpuUsage();
  await using engine = await startBenchEngine({
    storage,
    clock,
    ids: createIds(clock),
    masterKey,
    otherNodes: otherNodesOver(peers),
    observer: {
      ...observer,
      attemptStored(attempt) {
        made++;
        lastWrittenAt = Date.now();
        observer.attemptStored(attempt);
      },
      roundEnded(round) {
        if (round.attempts > 0) writes++;
        observer.roundEnded(round);
      },
    },
    logger: createLogger(process.env['LOG_LEVEL'] ?? 'warn'),
  });
  peers.onHeard('work', engine.wake);
  peers.onHeard('hand-over', engine.handOver);
  if (!(await engine.whenIdle(AbortSignal.timeout(120_000)))) throw new Error('Deliveries were left after 120 s.');
  const { user, system } = process.cpuUsage(before);
  return { made, writes, lastWrittenAt, cpuMicros: user + system };
}
