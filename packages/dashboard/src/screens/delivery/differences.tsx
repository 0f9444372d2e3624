import type { LoggedAttempt } from '@svc/contract/control/types';
import { VisibleText } from '../../ui/hostile-text.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { differingPaths } from './differing-paths.ts';

const PLACES_MAX = 50;

/** Shows how the bodies of two attempts differ. `AttemptView` marks the headers that differ. */
export function BodyDifferences({ attempt, other }: { attempt: LoggedAttempt; other: LoggedAttempt }) {
  const bodies = [
    ['request', attempt.request.bodyText, other.request.bodyText],
    ['response', attempt.response?.body, other.response?.body],
  ] as const;
  return (
    <section class="card differences" aria-label="Differences between the bodies">
      {bodies.map(([what, a, b]) => (
        <BodyDifference
          key={what}
          what={what}
          numbers={[attempt.number, other.number]}
          a={a ?? undefined}
          b={b ?? undefined}
        />
      ))}
    </section>
  );
}

function BodyDifference({
  what,
  numbers,
  a,
  b,
}: {
  what: 'request' | 'response';
  numbers: readonly [number, number];
  a: string | undefined;
  b: string | undefined;
}) {
  if (a === undefined || b === undefined) return <p class="quiet">{missingText(what, numbers, a, b)}</p>;
  if (a === b) return <p class="quiet">The {what} bodies are the same, byte for byte.</p>;
  const differences = differingPaths(a, b, PLACES_MAX + 1);
  if (differences === undefined) return <p>The {what} bodies differ. One of them is not JSON.</p>;
  if (differences.length === 0) return <p>The {what} bodies differ only in spaces or in the order of members.</p>;
  const attempts = numbers.map((number) => `Attempt ${number}`);
  return (
    <table class="plain inner">
      <caption>
        {differences.length > PLACES_MAX
          ? `The ${what} bodies differ in many places. These are the first ${PLACES_MAX}:`
          : `The ${what} bodies differ here:`}
      </caption>
      <TableHead columns={['Path', ...attempts]} />
      <tbody>
        {differences.slice(0, PLACES_MAX).map(({ path, before, after }) => (
          <tr key={path}>
            <td class="mono breaking">
              <Hostile text={path} />
            </td>
            <td class="mono breaking" data-label={attempts[0]}>
              <Hostile text={before} />
            </td>
            <td class="mono breaking" data-label={attempts[1]}>
              <Hostile text={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function missingText(
  what: 'request' | 'response',
  [first, second]: readonly [number, number],
  a: string | undefined,
  b: string | undefined,
): string {
  if (what === 'request') return 'The request bodies cannot be compared: retention removed the event.';
  if (a === b) return 'Neither attempt got a response.';
  return `Attempt ${a === undefined ? first : second} got no response, so there is no body to compare.`;
}

const SHOWN_MAX = 500;

function Hostile({ text }: { text: string | undefined }) {
  if (text === undefined) return <span class="quiet">absent</span>;
  return <VisibleText text={text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text} />;
}
