import type { LoggedAttempt } from '@svc/contract/control/types';
import { visiblePieces } from '../../format/text.ts';
import { differingPaths } from './differing-paths.ts';

/** Says where the bodies of two attempts differ. Headers are marked where they stand. */
export function BodyDifferences({ attempt, other }: { attempt: LoggedAttempt; other: LoggedAttempt }) {
  const bodies = [
    ['request', attempt.request.bodyText, other.request.bodyText],
    ['response', attempt.response?.body, other.response?.body],
  ] as const;
  return (
    <section class="card differences" aria-label="Differences of the bodies">
      {bodies.map(([what, a, b]) => (
        <BodyDifference key={what} what={what} numbers={[attempt.number, other.number]} a={a ?? ''} b={b ?? ''} />
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
  what: string;
  numbers: readonly [number, number];
  a: string;
  b: string;
}) {
  if (a === b) return <p class="quiet">The {what} bodies are the same, byte for byte.</p>;
  const differences = differingPaths(a, b);
  if (differences === undefined) return <p>The {what} bodies differ. One of them is not JSON.</p>;
  if (differences.length === 0) return <p>The {what} bodies differ only in spaces or in the order of members.</p>;
  return (
    <table class="plain inner">
      <caption>The {what} bodies differ here:</caption>
      <thead>
        <tr>
          <th>Path</th>
          {numbers.map((number) => (
            <th key={number}>Attempt {number}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {differences.map(({ path, before, after }) => (
          <tr key={path}>
            <td class="mono breaking">
              <Hostile text={path} />
            </td>
            <td class="mono breaking" data-label={`Attempt ${numbers[0]}`}>
              <Hostile text={before} />
            </td>
            <td class="mono breaking" data-label={`Attempt ${numbers[1]}`}>
              <Hostile text={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const SHOWN_MAX = 500;

/** A text from a receiver. */
function Hostile({ text }: { text: string | undefined }) {
  if (text === undefined) return <span class="quiet">absent</span>;
  return (
    <bdi>
      {visiblePieces(text.slice(0, SHOWN_MAX)).map(({ text: piece, isEscape }) =>
        isEscape ? <span class="escape">{piece}</span> : piece,
      )}
      {text.length > SHOWN_MAX && '…'}
    </bdi>
  );
}
