import type { ClockChange, ClockChanged } from '@svc/contract/control/resources';
import type { CommandContext } from '../../context.ts';
import { startProgress } from '../../output/progress.ts';

const LOOK_INTERVAL_MS = 100;

/** Changes the clock and shows what ran. While the clock moves, a bar shows the progress. */
export async function changeClock(
  { control, output }: CommandContext,
  change: ClockChange,
  targetMs?: number,
): Promise<void> {
  const fromMs = targetMs === undefined ? 0 : Date.parse((await control.readClock()).now);
  let changed: ClockChanged;
  {
    using progress = startProgress(output, 'Moving the clock', Math.max(1, (targetMs ?? 0) - fromMs));
    const looking =
      targetMs !== undefined && output.interactive
        ? setInterval(() => {
            const show = ({ now }: { now: string }) => progress.update(Date.parse(now) - fromMs, now);
            control.readClock().then(show, () => {});
          }, LOOK_INTERVAL_MS)
        : undefined;
    try {
      changed = await control.changeClock(change);
    } finally {
      clearInterval(looking);
    }
  }
  const { attempts, evaluations } = changed.ran;
  output.result(changed, () =>
    output.fields([
      ['Now', changed.now],
      ['Ran', `${count(attempts, 'attempt')}, ${count(evaluations, 'evaluation')}`],
    ]),
  );
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
