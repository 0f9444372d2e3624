import { createAddressRules } from '../../domain/receiver-address.ts';
import type { ReadingTime } from '../../network/parsing-time.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createConnections } from './connections.ts';
import { type AttemptFaults, injectFaults } from './inject-faults.ts';
import { limitResponses } from './kept-response.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { createFunctionSender } from './send-by-function.ts';
import { createNetworkSender } from './send-over-network.ts';

/** The options that decide how attempts are sent. */
export interface SenderOptions {
  logger: Logger;
  /** Whether deliveries may be sent to receivers on this machine. */
  allowLoopback: boolean;
  /** CIDR blocks of private addresses to which deliveries may be sent. */
  allowNetworks: readonly string[];
  /** The server's own addresses, to which no deliveries are sent. Default: none. */
  ownAddresses?: OwnAddresses | undefined;
  /** The time for TLS and for parsing responses, if other connections share it. Default: only attempts use it. */
  readingTime?: ReadingTime | undefined;
  /** A function that receives each attempt, so that no attempt goes over the network. */
  send?: ((request: Request) => Promise<Response>) | undefined;
  /** Faults to inject into attempts. */
  faults?: AttemptFaults | undefined;
}

/**
 * Creates two functions: `send` makes the POST request of an attempt, and `destroy` closes all connections immediately.
 *
 * @param timeoutMs - The time limit for one attempt.
 */
export function createSender(options: SenderOptions, timeoutMs: number) {
  const { faults, logger, ownAddresses: own, readingTime } = options;
  const connections = createConnections(createAddressRules(options), timeoutMs, { own, readingTime });
  const sendAll = options.send
    ? createFunctionSender(options.send, timeoutMs)
    : createNetworkSender(connections, timeoutMs);
  const send = limitResponses(sendAll, () => performance.now());
  return { send: faults ? injectFaults({ send, faults, logger, timeoutMs }) : send, destroy: connections.destroy };
}
