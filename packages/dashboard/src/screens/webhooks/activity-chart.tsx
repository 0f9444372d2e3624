import type { EndpointActivity } from '@svc/contract/control/types';
import { shownZone } from '../../data/zone.ts';
import { formatInstant } from '../../format/instant.ts';
import { ChartEnds } from '../../ui/chart-ends.tsx';
import { toneOf } from '../../ui/status.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { activityBars, activityTotals, STATUSES } from './activity.ts';

const BARS = 60;
const HEIGHT = 56;

export function ActivityChart({ activity }: { activity: EndpointActivity }) {
  const { deliveries, truncated } = activity;
  if (deliveries.length === 0) return <p class="quiet">No deliveries yet.</p>;
  const bars = activityBars(deliveries, BARS);
  const totals = activityTotals(bars);
  const highest = Math.max(...bars.map((bar) => STATUSES.reduce((sum, status) => sum + bar[status], 0)));
  const zone = shownZone.value;
  const words = STATUSES.filter((status) => totals[status] > 0).map((status) => `${status} ${totals[status]}`);
  return (
    <div class="activity">
      <svg
        viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Deliveries over time: ${words.join(', ')}`}
      >
        {bars.map((bar, index) => {
          let y = HEIGHT;
          return STATUSES.toReversed().map((status) => {
            if (bar[status] === 0) return null;
            const height = Math.max(3, (bar[status] / highest) * (HEIGHT - 4));
            y -= height;
            return (
              <rect
                key={`${bar.from} ${status}`}
                class={toneOf(status)}
                x={index * 10 + 1}
                y={y}
                width={8}
                height={height}
                rx={1.5}
              />
            );
          });
        })}
      </svg>
      <ChartEnds from={bars[0]?.from ?? 0} to={bars.at(-1)?.to ?? 0} />
      <p class="legend">
        {STATUSES.toReversed().map(
          (status) =>
            totals[status] > 0 && (
              <span key={status}>
                <i class={`swatch ${toneOf(status)}`} aria-hidden="true" />
                {status} <b class="num">{totals[status].toLocaleString('en')}</b>
              </span>
            ),
        )}
        <span class="quiet">{truncated ? 'the latest 1,000' : `all ${deliveries.length.toLocaleString('en')}`}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <table class="plain narrow">
          <TableHead columns={['From', ...STATUSES.toReversed()]} />
          <tbody>
            {bars
              .filter((bar) => STATUSES.some((status) => bar[status] > 0))
              .toReversed()
              .map((bar) => (
                <tr key={bar.from}>
                  <td>{formatInstant(bar.from, zone)}</td>
                  {STATUSES.toReversed().map((status) => (
                    <td key={status} class="num">
                      {bar[status]}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
