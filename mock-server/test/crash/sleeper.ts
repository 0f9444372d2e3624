import { setTimeout as wait } from 'node:timers/promises';
import { LEASE_MS, SWEEP_INTERVAL_MS } from '../../src/delivery/limits.ts';
import { inFlightOf } from './drive.ts';
import type { CountingReceiver } from './receiver.ts';
import type { ServerProcess } from './server-process.ts';

/** A node that is frozen past its lease. */
export interface Sleeper {
  node: ServerProcess;
  /** Attempts that it had in flight when it was frozen. */
  inFlight: number;
  /** Resolves when it goes on. */
  woken: Promise<void>;
}

/** Until others have found that the lease is over, claimed the lanes and made the attempts again. */
const FROZEN_MS = LEASE_MS + 2 * SWEEP_INTERVAL_MS + 3_000;
/** Attempts in flight that it takes to be frozen. */
const IN_FLIGHT = 3;

/**
 * Freezes a node whose attempts wait for their answers, and answers them meanwhile. When it goes on it finds them, with
 * its lanes in other hands: what it writes then must move nothing.
 */
export async function putToSleep(node: ServerProcess, receiver: CountingReceiver): Promise<Sleeper> {
  receiver.hold();
  let inFlight = 0;
  do {
    await wait(20);
    // What has its answer already may be written back, by the database alone, while the node stands still.
    inFlight = await inFlightOf(node, receiver.held());
  } while (inFlight < IN_FLIGHT);
  // It may hold locks too: the database ends its transaction after a while, and what needs them waits until then.
  node.process.kill('SIGSTOP');
  receiver.letGo();
  const woken = wait(FROZEN_MS).then(() => {
    node.process.kill('SIGCONT');
  });
  return { node, inFlight, woken };
}
