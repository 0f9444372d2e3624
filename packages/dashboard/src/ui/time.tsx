import { now, realNow } from '../data/clock.ts';
import { shownZone } from '../data/zone.ts';
import { formatRelative } from '../format/duration.ts';
import { formatInstant } from '../format/instant.ts';

/**
 * A time relative to now, by the virtual clock, or by the real clock if `real` is set. A tooltip on hover and focus
 * shows the absolute time with its zone.
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
