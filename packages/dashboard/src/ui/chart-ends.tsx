import { shownZone } from '../data/zone.ts';
import { formatInstant } from '../format/instant.ts';

/** Shows the first and the last time of a chart. `share` is the part of the chart's width that the columns fill. */
export function ChartEnds({ from, to, share = 1 }: { from: number; to: number; share?: number }) {
  const zone = shownZone.value;
  return (
    <p class="chart-ends" style={{ width: `${share * 100}%` }} aria-hidden="true">
      <span>{formatInstant(from, zone)}</span>
      {to !== from && <span>{formatInstant(to, zone)}</span>}
    </p>
  );
}
