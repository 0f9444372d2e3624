import type { WorkLoop } from '../runtime/work-loop.ts';
import type { HeldLanes } from './lanes/held.ts';
import type { Gate } from './queue/gate.ts';
import type { NodeSession } from './queue/node-session.ts';
import type { createResults } from './queue/results.ts';
import { type AttemptTools, type FinishedAttempt, makeAttempt } from './sending/attempt.ts';
import type { DispatcherTools } from './tools.ts';

/** The dependencies of {@link startAttempts}. */
export interface StartOptions extends AttemptTools {
  held: HeldLanes;
  nodeSession: Pick<NodeSession, 'mayStart'>;
  gate: Pick<Gate, 'pauseFor'>;
  results: Pick<ReturnType<typeof createResults>, 'add'>;
  taking: WorkLoop;
}

/**
 * Starts attempts while slots are free and deliveries are ready. Also runs when an attempt ends, because another
 * attempt may then be able to start.
 */
export function startAttempts(options: StartOptions): void {
  const { held, nodeSession, gate, results, taking, timers } = options;
  if (!nodeSession.mayStart()) return;
  for (let next = held.start(timers.now()); next; next = held.start(timers.now())) {
    const started = next;
    const { lane, target, delivery } = started;
    void makeAttempt(options, delivery, target).then((attempt) => {
      if ('shortage' in attempt) {
        held.putBack(started);
        taking.request();
        gate.pauseFor(attempt.shortage);
        return;
      }
      const outcome = { responded: attempt.hasResponse, durationMs: attempt.responseTimeMs };
      const waits = held.ended(started, outcome);
      const counts = held.countsFailures(lane, attempt.transition.status);
      startAttempts(options);
      if (waits === 'lane') taking.request();
      results.add({ attempt, lane, counts, wasRefused: false }, waits === 'slot');
    });
  }
}

/** Reports a stored attempt in the log and in the metrics. */
export function reportAttempt(
  { logger, observer }: Pick<DispatcherTools, 'logger' | 'observer'>,
  { delivery, number, responseTimeMs, error, transition: { status } }: FinishedAttempt,
  isLate: boolean,
): void {
  const { id: deliveryId, endpointId } = delivery;
  const ended = status === 'pending' ? 'retry' : status;
  const outcome = isLate ? 'late' : ended;
  observer.attemptWritten({ outcome, durationMs: responseTimeMs, deliveryId, endpointId });
  logger.info(
    { deliveryId, endpointId, attempt: number, responseTimeMs, outcome, error: error ?? undefined },
    'attempt made',
  );
}
