import type { EndpointState } from '@svc/contract/control/types';
import { now } from '../../data/clock.ts';
import { type Health, healthOf } from '../../format/health.ts';
import { Status } from '../../ui/status.tsx';

const MARKS: Record<Health, string> = {
  active: 'success',
  retrying: 'retrying',
  failing: 'failed',
  paused: 'disabled',
  'auto-disabled': 'disabled',
};

/** Shows the health of an endpoint. Until the endpoint's state is loaded, the mark depends only on `active`. */
export function EndpointMark({ active, state }: { active: boolean; state: EndpointState | undefined }) {
  const health = healthOf({ consecutiveFailures: 0, nextDueAt: null, ...state, active }, now.value);
  return <Status value={MARKS[health]} word={health} />;
}
