import type { WorkLoop } from '../runtime/work-loop.ts';
import type { HeldLanes, NextAttempt } from './lanes/held.ts';
import type { Gate } from './queue/gate.ts';
import type { NodeSession } from './queue/node-session.ts';
import type { Results } from './queue/results.ts';
import { type AttemptTools, makeAttempt } from './sending/attempt.ts';
import type { DispatcherTools } from './tools.ts';

interface StarterParts {
  held: HeldLanes;
  nodeSession: NodeSession;
  gate: Gate;
  taking: WorkLoop;
  results: Results;
}

/** Returns a function that starts the attempts of ready deliveries while slots are free. */
export function createStarter(options: AttemptTools & DispatcherTools, parts: StarterParts) {
  const { held, nodeSession, gate, taking, results } = parts;

  /** Checks the session before each attempt, because the process may be suspended between two attempts. */
  function startReady(): void {
    while (nodeSession.mayStart()) {
      const next = held.start(options.timers.now());
      if (!next) return;
      void attemptNow(next);
    }
  }

  async function attemptNow(started: NextAttempt): Promise<void> {
    const attempt = await makeAttempt(options, started.delivery, started.target);
    if ('shortage' in attempt) {
      held.putBack(started);
      taking.request();
      gate.pauseFor(attempt.shortage);
      return;
    }
    const outcome = { responded: attempt.hasResponse, durationMs: attempt.responseTimeMs };
    const next = held.ended(started, outcome);
    startReady();
    if (next === 'read') taking.request();
    results.add({ attempt, lane: started.lane }, next === 'store');
  }

  return startReady;
}
