import { RETRY_DELAYS_MS } from '@svc/contract';
import { createDispatcher } from '../../../src/delivery/dispatcher.ts';
import { NO_OBSERVER } from '../../../src/delivery/observer.ts';
import type { AttemptTools } from '../../../src/delivery/sending/attempt.ts';
import { createFunctionSender } from '../../../src/delivery/sending/send-by-function.ts';
import { createSigningKeys } from '../../../src/delivery/sending/signing-keys.ts';
import type { AttemptOutcome } from '../../../src/domain/attempt-outcome.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import type { Timers } from '../../../src/runtime/timers.ts';
import type { Storage } from '../../../src/storage/port.ts';
import type { World } from './world.ts';

/** The longest time of one attempt. It passes in real time. */
const TIMEOUT_MS = 10_000;

/** A request of a node, which the test answers. */
interface OpenRequest {
  deliveryId: string;
  answer(status: number): void;
}

/** The dispatcher of one node, on timers and a connection of the test. */
export interface TestNode extends AsyncDisposable {
  dispatcher: ReturnType<typeof createDispatcher>;
  /** All requests that it has sent. */
  requests: OpenRequest[];
  outcomes: AttemptOutcome[];
  /** How many lanes it held when its session ended, for each time that happened. */
  lanesLost: number[];
  /** Makes a look at the queue, and waits until nothing more can be claimed. */
  look(): Promise<boolean>;
}

/** Starts a node that may share the database with others. */
export function startNode(
  { storage, clock, ids, masterKey }: World,
  options: { timers: Timers; storage?: Storage; isShared?: boolean } & Partial<Pick<AttemptTools, 'signingKeys'>>,
): TestNode {
  const { isShared = true } = options;
  const requests: OpenRequest[] = [];
  const outcomes: AttemptOutcome[] = [];
  const lanesLost: number[] = [];
  const dispatcher = createDispatcher({
    storage,
    clock,
    ids,
    logger: createLogger('silent'),
    schedule: { delaysMs: RETRY_DELAYS_MS, jitterPercent: 0, random: () => 0 },
    signingKeys: createSigningKeys(masterKey),
    send: createFunctionSender(
      ({ headers }) =>
        new Promise((resolve) => {
          const deliveryId = headers.get('webhook-id') ?? '';
          requests.push({ deliveryId, answer: (status) => resolve(new Response(null, { status })) });
        }),
      TIMEOUT_MS,
    ),
    timeoutMs: TIMEOUT_MS,
    concurrency: 8,
    endpointConcurrency: 4,
    observer: {
      ...NO_OBSERVER,
      attemptStored: ({ outcome }) => void outcomes.push(outcome),
      lanesLost: (lanes) => void lanesLost.push(lanes),
    },
    otherNodes: isShared ? { askForLanes() {}, tellOfLanes() {} } : undefined,
    ...options,
  });
  dispatcher.setTaking(true);
  return {
    dispatcher,
    requests,
    outcomes,
    lanesLost,
    look: () => dispatcher.until(() => true),
    async [Symbol.asyncDispose]() {
      for (const { answer } of requests) answer(200);
      await dispatcher.stop();
    },
  };
}
