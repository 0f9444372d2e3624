import type { EndpointState } from '@svc/contract/control/types';
import { now } from '../../data/clock.ts';
import { type Health, healthOf } from '../../format/health.ts';
import { Status } from '../../ui/status.tsx';

/** The mark for each health uses the shape and the color of a status. */
const MARKS: Record<Health, string> = {
  active: 'success',
  retrying: 'retrying',
  failing: 'failed',
  paused: 'disabled',
  'auto-disabled': 'disabled',
};

/**
 * An endpoint's current health. `active` is the endpoint's own field. This value is used until the endpoint's state is
 * loaded.
 */
export function EndpointMark({ active, state }: { active: boolean; state: EndpointState | undefined }) {
  const health = healthOf({ consecutiveFailures: 0, nextDueAt: null, ...state, active }, now.value);
  return <Status value={MARKS[health]} word={health} />;
}
