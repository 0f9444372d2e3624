import type { ClockChange, ClockChanged } from '@svc/contract/control/resources';
import { formatDuration } from '../../domain/duration.ts';
import { parseInstant } from '../../domain/instant.ts';
import type { CommandSpec, GroupSpec } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import { durationMsOf } from '../options.ts';
import { startProgress } from '../output/progress.ts';

const POLL_INTERVAL_MS = 100;

const show: CommandSpec = {
  usage: 'show',
  summary: "show the service's clock (default)",
  examples: ['svc-mock clock', 'svc-mock clock show --json'],
  isDefault: true,
  async run({ control, output }) {
    const reading = await control.readClock();
    const { now, offsetMs, frozen } = reading;
    const ahead = Math.round(offsetMs / 1_000) * 1_000;
    output.show(reading, {
      Now: now,
      Frozen: frozen ? output.style.yellow('yes: the clock moves only when you move it') : 'no',
      'Real time': ahead === 0 ? 'equals Now' : `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'earlier' : 'later'}`,
    });
  },
};

const advance: CommandSpec = {
  usage: 'advance <duration>',
  summary:
    'move the clock forward; each attempt and evaluation that becomes due runs at the virtual time when it is due',
  examples: ['svc-mock clock advance 30m', 'svc-mock clock advance 3d --json'],
  async run(context, [duration = '']) {
    const ms = durationMsOf('The time to advance', duration);
    await changeClock(context, { advance: duration }, (await context.now()) + ms);
  },
};

const set: CommandSpec = {
  usage: 'set <time>',
  summary: 'move the clock forward to a time; the clock cannot go back',
  examples: ['svc-mock clock set 2031-03-01T00:00:00Z', 'svc-mock clock set 2031-03-01T01:00:00+01:00 --json'],
  async run(context, [time = '']) {
    const targetMs = parseInstant(time);
    if (targetMs === undefined) {
      throw new UsageError(
        `The time must be an ISO 8601 string with Z or an offset, such as 2031-03-01T00:00:00Z, not "${time}".`,
      );
    }
    await changeClock(context, { set: time }, targetMs);
  },
};

const freeze: CommandSpec = {
  usage: 'freeze',
  summary: 'freeze the clock; work that is due at the frozen time still runs',
  examples: ['svc-mock clock freeze', 'svc-mock clock freeze --json'],
  run: (context) => changeClock(context, { freeze: true }),
};

const reset: CommandSpec = {
  usage: 'reset',
  summary: 'return the clock to real time',
  examples: ['svc-mock clock reset', 'svc-mock clock reset --json'],
  run: (context) => changeClock(context, { reset: true }),
};

export const clock: GroupSpec = {
  name: 'clock',
  summary: "show or move the service's clock",
  commands: [show, advance, set, freeze, reset],
};

async function changeClock({ control, output }: CommandContext, change: ClockChange, targetMs?: number): Promise<void> {
  const fromMs = targetMs === undefined ? 0 : Date.parse((await control.readClock()).now);
  let changed: ClockChanged;
  {
    using progress = await startProgress(output, 'Moving the clock', Math.max(1, (targetMs ?? 0) - fromMs));
    const looking =
      targetMs !== undefined && output.interactive
        ? setInterval(() => {
            const show = ({ now }: { now: string }) => progress.update(Date.parse(now) - fromMs, now);
            control.readClock().then(show, () => {});
          }, POLL_INTERVAL_MS)
        : undefined;
    try {
      changed = await control.changeClock(change);
    } finally {
      clearInterval(looking);
    }
  }
  const { attempts, evaluations } = changed.ran;
  output.show(changed, {
    Now: changed.now,
    Ran: `${count(attempts, 'attempt')}, ${count(evaluations, 'evaluation')}`,
  });
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
