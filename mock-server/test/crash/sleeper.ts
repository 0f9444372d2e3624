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
  /** Resolves when it continues. */
  woken: Promise<void>;
}

/** Long enough for other nodes to find that the lease is over, claim the lanes and make the attempts again. */
const FROZEN_MS = LEASE_MS + 2 * SWEEP_INTERVAL_MS + 3_000;
/** The node is frozen once it has this many attempts in flight. */
const IN_FLIGHT = 3;

/**
 * Freezes a node whose attempts wait for answers, and sends the answers while it is frozen. When the node continues, it
 * finds the answers, but other nodes hold its lanes. Its writes must then change nothing.
 */
export async function putToSleep(node: ServerProcess, receiver: CountingReceiver): Promise<Sleeper> {
  receiver.hold();
  let inFlight = 0;
  do {
    await wait(20);
    // Count only unanswered attempts. The database alone may finish writing back an answered one while the node is
    // frozen.
    inFlight = await inFlightOf(node, receiver.held());
  } while (inFlight < IN_FLIGHT);
  // The node may also hold locks. Others wait for them until the database ends its transaction after a while.
  node.process.kill('SIGSTOP');
  receiver.letGo();
  const woken = wait(FROZEN_MS).then(() => {
    node.process.kill('SIGCONT');
  });
  return { node, inFlight, woken };
}
