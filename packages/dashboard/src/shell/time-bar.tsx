import type { ClockChange } from '@svc/contract/control/types';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { now, virtualNow } from '../data/clock.ts';
import { serverClock } from '../data/live.ts';
import { IS_MOVING, move, moveClock, nextDueAt, ranText } from '../data/move-clock.ts';
import { lastWorkspace } from '../data/preferences.ts';
import { messageOf } from '../data/server-error.ts';
import { shownZone } from '../data/zone.ts';
import { formatOffset } from '../format/duration.ts';
import { formatInstant } from '../format/instant.ts';
import { inWorkspace } from '../routes.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import { Problem } from '../ui/problem.tsx';
import { orToast, toast } from '../ui/toast.tsx';

const STEPS = [
  ['5m', '+5m', 300_000],
  ['1h', '+1h', 3_600_000],
  ['12h', '+12h', 43_200_000],
] as const;

/** Moves the clock, and shows in a toast what work was done. Rejects if the service rejects the change. */
export async function moveAndTell(change: ClockChange, to?: number): Promise<void> {
  const { ran } = await moveClock(change, virtualNow(), to);
  const workspaceId = lastWorkspace.get();
  const link =
    ran.attempts > 0 && workspaceId ? { href: inWorkspace(workspaceId, 'deliveries'), text: 'Show' } : undefined;
  toast(`The clock moved: ${ranText(ran)}.`, { link });
}

export const moveOrToast = (change: ClockChange, to?: number): Promise<void> => orToast(() => moveAndTell(change, to));

export const moveToNextDue = (): Promise<void> =>
  orToast(async () => {
    const due = await nextDueAt();
    if (due === null) toast('Nothing is due.');
    // If the work is already due, advance the clock by 0 s, which waits until the work is done.
    else await moveAndTell(Date.parse(due) > virtualNow() ? { set: due } : { advance: '0s' }, Date.parse(due));
  });

export function TimeBar() {
  const clock = serverClock.value;
  const isMoving = move.value !== undefined || clock?.moving === true;
  const why = clock === undefined ? 'The time is not known yet' : isMoving ? IS_MOVING : undefined;
  const at = now.value;
  return (
    <section class={`time-bar ${isMoving ? 'moving' : ''}`} aria-label="Virtual time">
      <span class="bench-name">Reference server</span>
      <span class="time-name">
        <Icon name="clock" />
        <span class="long">Virtual time</span>
      </span>
      {clock ? (
        <span class="time-now">
          <time dateTime={new Date(at).toISOString()}>{formatInstant(at, shownZone.value)}</time>
          <CopyButton text={() => new Date(virtualNow()).toISOString()} label="Copy as ISO 8601" class="ghost tiny" />
        </span>
      ) : (
        <span class="skeleton wide" />
      )}
      {!clock && <span class="skeleton time-state" />}
      {clock && (
        <span class={`badge ${clock.frozen ? 'tone-frozen' : ''}`}>
          {isMoving ? 'moving' : clock.frozen ? 'frozen' : 'running'}
          <span class="quiet long">, {formatOffset(clock.offsetMs)}</span>
        </span>
      )}
      <span class="spacer" />
      <div class="time-steps">
        {STEPS.map(([advance, text, ms]) => (
          <ActionButton
            key={advance}
            class="small"
            why={why}
            onClick={() => moveOrToast({ advance }, virtualNow() + ms)}
          >
            {text}
          </ActionButton>
        ))}
        <ActionButton icon="skip" class="small" why={why} onClick={moveToNextDue}>
          Next due
        </ActionButton>
        <Menu button={<Icon name="more" />} label="More about time" class="small icon-only" align="end">
          {(close) => <TimeMenu close={close} why={why} isFrozen={clock?.frozen === true} />}
        </Menu>
      </div>
      {isMoving && <Progress />}
    </section>
  );
}

function Progress() {
  const clock = serverClock.value;
  const { from, to } = move.value ?? {};
  const at = clock ? Date.parse(clock.now) : 0;
  const share = from !== undefined && to !== undefined && to > from ? (at - from) / (to - from) : undefined;
  return (
    <progress aria-label="Moving the clock" {...(share !== undefined && { value: Math.min(Math.max(share, 0), 1) })} />
  );
}

function TimeMenu({ close, why, isFrozen }: { close: () => void; why: string | undefined; isFrozen: boolean }) {
  const { route } = useLocation();
  const choice = (text: string, note: string, change: ClockChange) => (
    <ActionButton
      class="choice"
      why={why}
      onClick={() => {
        close();
        void moveOrToast(change);
      }}
    >
      <span>
        {text}
        <small>{note}</small>
      </span>
    </ActionButton>
  );
  const pending = inWorkspace(lastWorkspace.get() ?? '', 'deliveries', { status: 'pending' });
  return (
    <div class="panel-group time-menu">
      <ChangeForm
        name="advance"
        label="Advance by"
        action="Advance"
        placeholder="90m, 3d or PT5H"
        why={why}
        change={(advance) => ({ advance })}
        onDone={close}
      />
      <ChangeForm
        name="set"
        label="Set to (ISO 8601, not before the current virtual time)"
        action="Set"
        defaultValue={new Date(virtualNow()).toISOString()}
        why={why}
        change={(set) => ({ set })}
        onDone={close}
      />
      <hr />
      {isFrozen
        ? choice('Resume', 'The clock continues from its current time', { resume: true })
        : choice('Freeze', 'The clock stops until you move it', { freeze: true })}
      {choice('Back to real time', 'Rows with later times stay, and are marked', { reset: true })}
      <a
        class="choice"
        href={pending}
        onClick={(event) => {
          event.preventDefault();
          close();
          route(pending);
        }}
      >
        <span>
          Show pending deliveries
          <small>Deliveries that wait for their next attempt</small>
        </span>
      </a>
    </div>
  );
}

function ChangeForm({
  name,
  label,
  action,
  why,
  change,
  onDone,
  ...shown
}: {
  name: string;
  label: string;
  action: string;
  why: string | undefined;
  change: (text: string) => ClockChange;
  onDone: () => void;
  placeholder?: string;
  defaultValue?: string;
}) {
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await moveAndTell(change(field.current?.value.trim() ?? ''));
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
      field.current?.focus();
    }
  };
  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>{label}</span>
        <span class="row">
          <input
            {...shown}
            ref={field}
            required
            aria-invalid={problem !== undefined}
            aria-describedby={`time-${name}-problem`}
          />
          <ActionButton type="submit" class="small" why={why}>
            {action}
          </ActionButton>
        </span>
      </label>
      {problem !== undefined && <Problem id={`time-${name}-problem`}>{problem}</Problem>}
    </form>
  );
}
