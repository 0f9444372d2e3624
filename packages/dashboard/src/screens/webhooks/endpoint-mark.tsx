import type { EndpointState } from '@svc/mock-server/control';
import { now } from '../../data/clock.ts';
import { type Health, healthOf } from '../../format/health.ts';
import { Status } from '../../ui/status.tsx';

/** Each health has the shape and the colour of a status. */
const MARKS: Record<Health, string> = {
  active: 'success',
  retrying: 'retrying',
  failing: 'failed',
  paused: 'disabled',
  'auto-disabled': 'disabled',
};

/** How an endpoint does now. `active` is the endpoint's own, for what the page knows before its state. */
export function EndpointMark({ active, state }: { active: boolean; state: EndpointState | undefined }) {
  const health = healthOf({ consecutiveFailures: 0, nextDueAt: null, ...state, active }, now.value);
  return <Status value={MARKS[health]} word={health} />;
}
