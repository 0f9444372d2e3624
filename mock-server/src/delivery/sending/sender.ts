import type { AddressRules } from '../../domain/receiver-address.ts';
import type { OwnAddresses } from '../../network/own-addresses.ts';
import type { ReadingTime } from '../../network/parsing-time.ts';
import type { Logger } from '../../runtime/logger.ts';
import { processTimers } from '../../runtime/timers.ts';
import { createConnections } from './connections.ts';
import { type AttemptFaults, injectFaults } from './inject-faults.ts';
import { limitResponses } from './kept-response.ts';
import { createFunctionSender } from './send-by-function.ts';
import { createNetworkSender } from './send-over-network.ts';

export interface SenderOptions {
  logger: Logger;
  addressRules: AddressRules;
  /** The server's own addresses, to which no deliveries are sent. Default: none. */
  ownAddresses?: OwnAddresses | undefined;
  /** Limits the time for TLS and for parsing responses. Default: a separate limit for this sender. */
  readingTime?: ReadingTime | undefined;
  /** Receives the request of each attempt. If set, no attempt goes over the network. */
  send?: ((request: Request) => Promise<Response>) | undefined;
  faults?: AttemptFaults | undefined;
}

/** Creates `send`, which makes an attempt, and `destroy`, which closes all connections immediately. */
export function createSender(options: SenderOptions, timeoutMs: number) {
  const { addressRules, faults, logger, ownAddresses: own, readingTime } = options;
  const connections = createConnections(addressRules, timeoutMs, { own, readingTime });
  const sendAll = options.send
    ? createFunctionSender(options.send, timeoutMs)
    : createNetworkSender(connections, timeoutMs);
  const send = limitResponses(sendAll, processTimers.now);
  return { send: faults ? injectFaults({ send, faults, logger, timeoutMs }) : send, destroy: connections.destroy };
}
