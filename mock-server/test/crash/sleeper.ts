import { setTimeout as wait } from 'node:timers/promises';
import { GONE_AFTER_MS, RENEWAL_INTERVAL_MS } from '../../src/domain/node-watch.ts';
import { inFlightOf } from './drive.ts';
import type { CountingReceiver } from './receiver.ts';
import type { ServerProcess } from './server-process.ts';

/** A node that is frozen until other nodes have ended its session. */
export interface Sleeper {
  node: ServerProcess;
  /** Attempts that it had in flight when it was frozen. */
  inFlight: number;
  /** Resolves when it continues. */
  woken: Promise<void>;
}

/** The frozen node may hold locks. The database ends its transaction after this time. */
const IDLE_TRANSACTION_MS = 15_000;
/** Long enough for other nodes to end the session, claim the lanes and make the attempts again. */
const FROZEN_MS = Math.max(GONE_AFTER_MS, IDLE_TRANSACTION_MS) + 2 * RENEWAL_INTERVAL_MS + 5_000;
/** The node is frozen once it has this many attempts in flight. */
const IN_FLIGHT = 3;

/**
 * Freezes a node whose attempts wait for responses, and sends the responses while it is frozen. When the node
 * continues, it finds the responses, but other nodes hold its lanes. After that, its writes must change nothing.
 */
export async function putToSleep(node: ServerProcess, receiver: CountingReceiver): Promise<Sleeper> {
  receiver.hold();
  let inFlight = 0;
  do {
    await wait(20);
    // Count only attempts without a response. If an attempt has a response, the database may finish the write-back even
    // while the node is frozen.
    inFlight = await inFlightOf(node, receiver.held());
  } while (inFlight < IN_FLIGHT);
  node.process.kill('SIGSTOP');
  receiver.letGo();
  const woken = wait(FROZEN_MS).then(() => {
    node.process.kill('SIGCONT');
  });
  return { node, inFlight, woken };
}
