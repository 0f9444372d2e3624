import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import type { EndpointState } from '@svc/contract/control/types';

export type Health = 'active' | 'retrying' | 'failing' | 'paused' | 'auto-disabled';

export const isAutoDisabled = (state: Pick<EndpointState, 'active' | 'consecutiveFailures'>): boolean =>
  !state.active && state.consecutiveFailures >= CONSECUTIVE_FAILURES_MAX;

/**
 * `now` is the virtual time in milliseconds, or 0 while the time is unknown. If the next attempt is due in the future,
 * an earlier attempt has failed, because a first attempt is due immediately.
 */
export function healthOf(
  state: Pick<EndpointState, 'active' | 'consecutiveFailures' | 'nextDueAt'>,
  now: number,
): Health {
  if (isAutoDisabled(state)) return 'auto-disabled';
  if (!state.active) return 'paused';
  if (state.consecutiveFailures > 0) return 'failing';
  return now > 0 && state.nextDueAt !== null && Date.parse(state.nextDueAt) > now ? 'retrying' : 'active';
}
