import { now, realNow } from '../data/clock.ts';
import { shownZone } from '../data/zone.ts';
import { formatRelative } from '../format/duration.ts';
import { formatInstant } from '../format/instant.ts';

/**
 * Shows a time relative to the virtual time, or to the real time if `real` is set. A tooltip shows the absolute time
 * with its zone.
 */
export function Time({
  value,
  real = false,
  focusable = false,
}: {
  value: string;
  real?: boolean;
  focusable?: boolean;
}) {
  const at = Date.parse(value);
  const distance = at - (real ? realNow.value : now.value);
  const absolute = formatInstant(at, shownZone.value) + (real ? ' (real time)' : '');
  return (
    <time dateTime={value} class="tip" data-tip={absolute} tabIndex={focusable ? 0 : undefined}>
      {formatRelative(distance)}
      <span class="hidden-visually">, {absolute}</span>
    </time>
  );
}

/** Says when work is due. While a slow attempt is in flight, this time is in the past. */
export const Due = ({ at }: { at: string }) => (
  <>
    {Date.parse(at) > now.value - 1_000 ? 'is' : 'was'} due <Time value={at} focusable />
  </>
);

/** Shows the creation time of a row. After the clock was set back, this time may be later than the current time. */
export const Created = ({ at }: { at: string }) =>
  Date.parse(at) > now.value + 1_000 ? <span class="badge">created ahead of the clock</span> : <Time value={at} />;
