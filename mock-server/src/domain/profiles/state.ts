import { LIFECYCLE_NUMBERS } from './numbers.ts';
import type { Signals } from './signals.ts';

/** The states of a profile, in the order in which answers list them. */
export const LIFECYCLE_STATES = ['new', 'active', 'at_risk', 'dormant', 'churned'] as const;
/** The lifecycle state of a profile. */
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

/** The state of a profile from its signals. The first matching rule applies. */
export function stateOf({ daysSinceLastSeen, daysSinceFirstSeen, weekOverWeek }: Signals): LifecycleState {
  const { churnedFromDays, dormantFromDays, newBelowDays, atRiskFromDays, atRiskFromDrop } = LIFECYCLE_NUMBERS.states;
  if (daysSinceLastSeen >= churnedFromDays) return 'churned';
  if (daysSinceLastSeen >= dormantFromDays) return 'dormant';
  if (daysSinceFirstSeen < newBelowDays) return 'new';
  if (daysSinceLastSeen >= atRiskFromDays || weekOverWeek <= atRiskFromDrop) return 'at_risk';
  return 'active';
}
