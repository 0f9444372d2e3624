import type { DeliveryExplanation, LoggedAttempt } from '@svc/contract/control/types';

export type PlannedAttempt =
  | { kind: 'made'; number: number; attempt: LoggedAttempt }
  /** The next attempt, with the time that the service reports. */
  | { kind: 'next'; number: number; at: number }
  /** A later attempt. `afterMs` counts from the previous attempt, and `fromNextMs` from the `next` attempt. */
  | { kind: 'planned'; number: number; afterMs: number; fromNextMs: number };

/** Returns the attempts so far, without `late` attempts, and the attempts that will follow if every attempt fails. */
export function planAttempts(
  attempts: readonly LoggedAttempt[],
  { nextAttemptAt, laterDelaysMs }: Pick<DeliveryExplanation, 'nextAttemptAt' | 'laterDelaysMs'>,
): PlannedAttempt[] {
  const made = attempts
    .filter(({ late }) => !late)
    .map((attempt): PlannedAttempt => ({ kind: 'made', number: attempt.number, attempt }));
  if (nextAttemptAt === null) return made;
  const first = made.length + 1;
  const plan: PlannedAttempt[] = [...made, { kind: 'next', number: first, at: Date.parse(nextAttemptAt) }];
  let fromNextMs = 0;
  for (const [index, afterMs] of laterDelaysMs.entries()) {
    fromNextMs += afterMs;
    plan.push({ kind: 'planned', number: first + 1 + index, afterMs, fromNextMs });
  }
  return plan;
}

/** Returns the names of the headers that differ, in lower case. */
export function differingHeaders(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): Set<string> {
  const lower = (headers: Readonly<Record<string, string>>) =>
    new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const [left, right] = [lower(a), lower(b)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return new Set([...names].filter((name) => left.get(name) !== right.get(name)));
}
