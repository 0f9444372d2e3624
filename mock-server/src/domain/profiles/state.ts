import type { ProfileState as LifecycleState } from '@svc/contract/control';
import type { Signals } from '@svc/contract/control/resources';
import { LIFECYCLE_NUMBERS } from './thresholds.ts';

export { LIFECYCLE_STATES, type ProfileState as LifecycleState } from '@svc/contract/control';

/** Checks the states in order, and returns the first state whose condition is true. */
export function stateOf({ daysSinceLastSeen, daysSinceFirstSeen, weekOverWeek }: Signals): LifecycleState {
  const { churnedFromDays, dormantFromDays, newBelowDays, atRiskFromDays, atRiskFromDrop } = LIFECYCLE_NUMBERS.states;
  if (daysSinceLastSeen >= churnedFromDays) return 'churned';
  if (daysSinceLastSeen >= dormantFromDays) return 'dormant';
  if (daysSinceFirstSeen < newBelowDays) return 'new';
  if (daysSinceLastSeen >= atRiskFromDays || weekOverWeek <= atRiskFromDrop) return 'at_risk';
  return 'active';
}
