import type { DeliveryExplanation, LoggedAttempt } from '@svc/contract/control/types';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { now } from '../../data/clock.ts';
import { shownZone } from '../../data/zone.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatClock, formatDay, formatInstant, isSameDay } from '../../format/instant.ts';
import { deliveryUrl } from '../../routes.ts';
import { type PlannedAttempt, planAttempts } from './planned-attempts.ts';

export function outcomeText({ response, error }: LoggedAttempt): string {
  // An attempt whose response was cut off has a status and an error.
  if (response && (error === null || error === `HTTP ${response.status}`)) return String(response.status);
  return error?.startsWith('Timed out') ? 'timed out' : (error ?? 'no response');
}

export const isGood = ({ error }: LoggedAttempt): boolean => error === null;

export function Timeline({
  workspaceId,
  deliveryId,
  attempts,
  explanation,
  selected,
}: {
  workspaceId: string;
  deliveryId: string;
  attempts: readonly LoggedAttempt[];
  explanation: DeliveryExplanation;
  selected: number | undefined;
}) {
  const plan = planAttempts(attempts, explanation);
  const late = attempts.filter((attempt) => attempt.late);
  const section = useRef<HTMLElement>(null);
  // Scroll to the selected attempt, which may be out of view on a narrow screen.
  useLayoutEffect(() => {
    const step = section.current?.querySelector('.selected')?.getBoundingClientRect();
    const view = section.current?.getBoundingClientRect();
    if (!step || !view || (step.left >= view.left && step.right <= view.right)) return;
    section.current?.scrollBy(step.left - view.left - (view.width - step.width) / 2, 0);
  }, [selected]);
  if (plan.length === 0) return null;
  return (
    <section ref={section} class="timeline" aria-label="Attempts">
      <ol>
        {plan.map((one, index) => (
          <li key={one.number} class={classOf(one, selected)}>
            <Step
              one={one}
              before={plan[index - 1]}
              href={(attempt) => deliveryUrl(workspaceId, deliveryId, { attempt })}
              selected={selected}
            />
          </li>
        ))}
      </ol>
      {late.length > 0 && (
        <p class="quiet">
          These attempts ended too late to change the delivery:{' '}
          {late.map((attempt) => `attempt ${attempt.number} (${outcomeText(attempt)})`).join(', ')}
        </p>
      )}
    </section>
  );
}

const classOf = (one: PlannedAttempt, selected: number | undefined) =>
  [
    'step',
    one.kind,
    one.kind === 'made' && (isGood(one.attempt) ? 'tone-good' : 'tone-bad'),
    one.kind === 'next' && 'tone-waiting',
    one.number === selected && one.kind === 'made' && 'selected',
  ]
    .filter(Boolean)
    .join(' ');

function Step({
  one,
  before,
  href,
  selected,
}: {
  one: PlannedAttempt;
  before: PlannedAttempt | undefined;
  href: (attempt: string) => string;
  selected: number | undefined;
}) {
  const zone = shownZone.value;
  if (one.kind === 'planned') {
    return (
      <span class="step-body">
        <span class="dot" aria-hidden="true" />
        <b>{one.number}</b>
        <small>+{formatDuration(one.afterMs)}</small>
      </span>
    );
  }
  if (one.kind === 'next') {
    const leftMs = one.at - now.value;
    return (
      <span class="step-body" title={formatInstant(one.at, zone)}>
        <span class="dot" aria-hidden="true" />
        <b>
          {one.number} <span>{leftMs > 0 ? 'due' : 'is due'}</span>
        </b>
        <small>{leftMs > 0 ? `in ${formatDuration(leftMs)}` : formatClock(one.at, zone)}</small>
      </span>
    );
  }
  const at = Date.parse(one.attempt.endedAt);
  // Show the day only if it differs from the day of the previous attempt or, for the first attempt, from today.
  const beforeAt = before?.kind === 'made' ? Date.parse(before.attempt.endedAt) : now.value;
  return (
    <a
      class="step-body"
      href={href(String(one.number))}
      title={`${formatInstant(at, zone)}, ${one.attempt.responseTimeMs} ms`}
      aria-current={one.number === selected ? 'true' : undefined}
    >
      <span class="dot" aria-hidden="true" />
      <b>
        {one.number} <span>{outcomeText(one.attempt)}</span>
      </b>
      <small>
        {!isSameDay(at, beforeAt, zone) && `${formatDay(at, zone)} `}
        {formatClock(at, zone)}
      </small>
    </a>
  );
}
