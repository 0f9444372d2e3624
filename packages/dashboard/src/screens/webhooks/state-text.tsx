import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import type { EndpointState } from '@svc/contract/control/types';
import { Time } from '../../ui/time.tsx';

export function StateText({ state }: { state: EndpointState | undefined }) {
  if (!state) return <span class="skeleton" />;
  const { consecutiveFailures, failuresUntilDisabled, nextDueAt } = state;
  return (
    <span>
      {consecutiveFailures > 0 && failuresUntilDisabled !== null && (
        <b class="tone-bad">
          {consecutiveFailures} of {CONSECUTIVE_FAILURES_MAX} in a row{nextDueAt && ', '}
        </b>
      )}
      {nextDueAt ? (
        <>
          due <Time value={nextDueAt} />
        </>
      ) : (
        consecutiveFailures === 0 && <span class="quiet">nothing due</span>
      )}
    </span>
  );
}

/** Shows the number of consecutive failures as filled boxes. Five consecutive failures disable the endpoint. */
export function FailureBoxes({ state }: { state: EndpointState }) {
  const { consecutiveFailures: failures, failuresUntilDisabled: left } = state;
  const text =
    left === null
      ? `${failures} in a row`
      : failures === 0
        ? 'none; five failures disable the endpoint'
        : `${failures} in a row; ${left} more ${left === 1 ? 'disables' : 'disable'} the endpoint`;
  return (
    <span class="failure-boxes">
      <span class="boxes" aria-hidden="true">
        {Array.from({ length: CONSECUTIVE_FAILURES_MAX }, (_, index) => (
          <i key={String(index)} class={index < failures ? 'on' : ''} />
        ))}
      </span>
      {text}
    </span>
  );
}
