import type { StateTransition } from '@svc/contract/control';
import type { Scores, Signals } from '@svc/contract/control/resources';
import type { Calendar, Day } from './calendar.ts';
import { scoresOf } from './scores.ts';
import { type EvaluationDay, signalsOf } from './signals.ts';
import { LIFECYCLE_STATES, type LifecycleState, stateOf } from './state.ts';

export {
  type ControlEvaluation as Evaluation,
  EVALUATION_TRIGGERS,
  type EvaluationTrigger,
} from '@svc/contract/control';

export interface Measured {
  state: LifecycleState;
  scores: Scores;
  signals: Signals;
}

export function evaluateProfile(
  seen: { firstSeenAt: number; lastSeenAt: number; activeDays: readonly Day[] },
  on: EvaluationDay,
  calendar: Calendar,
): Measured {
  const firstSeenDay = calendar.dayOf(seen.firstSeenAt);
  const lastSeenDay = calendar.dayOf(seen.lastSeenAt);
  const signals = signalsOf({ firstSeenDay, lastSeenDay, activeDays: seen.activeDays }, on);
  return { state: stateOf(signals), scores: scoresOf(signals), signals };
}

export function createEvaluationTally() {
  const states = Object.fromEntries(LIFECYCLE_STATES.map((state) => [state, 0])) as Record<LifecycleState, number>;
  const moves = new Map<string, StateTransition>();
  let profiles = 0;
  let changed = 0;
  return {
    /** @param from - The state before this evaluation. */
    add(state: LifecycleState, from: LifecycleState | null, isChanged: boolean): void {
      profiles++;
      states[state]++;
      if (!isChanged) return;
      changed++;
      if (from === state) return;
      const key = `${from} ${state}`;
      const move = moves.get(key) ?? { from, to: state, profiles: 0 };
      move.profiles++;
      moves.set(key, move);
    },
    /** Transitions are sorted by their states. Transitions without an earlier state come first. */
    result: () => ({ profiles, changed, states, transitions: [...moves.values()].sort(byStates) }),
  };
}

const placeOf = (state: LifecycleState | null) => (state === null ? -1 : LIFECYCLE_STATES.indexOf(state));
const byStates = (a: StateTransition, b: StateTransition) =>
  placeOf(a.from) - placeOf(b.from) || placeOf(a.to) - placeOf(b.to);
