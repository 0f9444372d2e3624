import type { ControlEvaluation } from '@svc/contract/control/types';
import { shownZone } from '../../data/zone.ts';
import { formatInstant } from '../../format/instant.ts';
import { STATES } from '../../format/states.ts';
import { ChartEnds } from '../../ui/chart-ends.tsx';
import { toneOf } from '../../ui/status.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { stateColumns } from './state-columns.ts';

const HEIGHT = 120;
const STEP = 20;
/**
 * The chart has room for at least this many columns, so that a few columns do not fill the whole width of the chart.
 */
const COLUMNS_MIN = 12;

export function StatesChart({ evaluations }: { evaluations: readonly ControlEvaluation[] }) {
  const oldestFirst = evaluations.toReversed();
  const latest = evaluations[0];
  if (!latest) return null;
  const zone = shownZone.value;
  const columns = Math.max(oldestFirst.length, COLUMNS_MIN);
  const words = STATES.map(([state, word]) => `${word} ${latest.states[state].toLocaleString('en')}`).join(', ');
  return (
    <div class="activity states-chart">
      <svg
        viewBox={`0 0 ${columns * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`States over the last ${evaluations.length} evaluations. Latest: ${words}`}
      >
        {stateColumns(oldestFirst, HEIGHT).map((column, index) =>
          column.map(({ state, y, height }) => (
            <rect
              key={`${index} ${state}`}
              class={toneOf(state)}
              x={index * STEP + 1}
              y={y}
              width={STEP - 2}
              height={height}
            />
          )),
        )}
      </svg>
      <ChartEnds
        from={Date.parse((oldestFirst[0] ?? latest).finishedAt)}
        to={Date.parse(latest.finishedAt)}
        share={oldestFirst.length / columns}
      />
      <p class="legend">
        {STATES.map(([state, word]) => (
          <span key={state}>
            <i class={`swatch ${toneOf(state)}`} aria-hidden="true" />
            {word} <b class="num">{latest.states[state].toLocaleString('en')}</b>
          </span>
        ))}
      </p>
      <details>
        <summary>As a table</summary>
        <div class="wide-table">
          <table class="plain narrow">
            <TableHead columns={['Evaluated', ...STATES.map(([, word]) => word)]} />
            <tbody>
              {evaluations.map(({ id, finishedAt, states }) => (
                <tr key={id}>
                  <td>{formatInstant(Date.parse(finishedAt), zone)}</td>
                  {STATES.map(([state]) => (
                    <td key={state} class="num">
                      {states[state].toLocaleString('en')}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
