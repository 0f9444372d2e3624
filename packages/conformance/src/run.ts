import { createProbe } from './probe.ts';
import type { Statement } from './statement.ts';
import type { Need, Target } from './target.ts';

/**
 * The outcome of a statement. If a service decides differently on a point that the document leaves open, the outcome is
 * `differs` and not `fail`.
 */
export type Outcome = 'pass' | 'fail' | 'differs' | 'not testable';

/** The result of one statement for one target. */
export interface Result {
  statement: Statement;
  outcome: Outcome;
  /** The reason for the outcome. Undefined if the statement passes. */
  reason: string | undefined;
}

/** Checks statements against a service, one after the other, and reports each result immediately. */
export async function runStatements(
  target: Target,
  statements: readonly Statement[],
  report: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  for (const statement of statements) {
    const result = await resultOf(target, statement);
    report(result);
    results.push(result);
  }
  return results;
}

const MISSING: Readonly<Record<Need, string>> = {
  key: 'needs an API key (--api-key)',
  token: 'needs a personal access token (--token)',
  control: 'needs the control API (--control)',
};

async function resultOf(target: Target, statement: Statement): Promise<Result> {
  if (!target.offers.includes(statement.needs)) {
    return { statement, outcome: 'not testable', reason: MISSING[statement.needs] };
  }
  try {
    await using probe = await createProbe(target);
    await statement.check(probe);
    return { statement, outcome: 'pass', reason: undefined };
  } catch (error) {
    return { statement, outcome: statement.source === 'document' ? 'fail' : 'differs', reason: reasonOf(error) };
  }
}

/** Returns the message of an error, without credentials and without characters that control a terminal. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  // The message of a failed `fetch` does not say why the call failed.
  const told = error instanceof TypeError && cause instanceof Error ? `${message}: ${cause.message || cause}` : message;
  return told
    .replaceAll(/\b(svc_sk_|svc_pat_|whsec_)[\w-]+/g, '$1…')
    .replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '\ufffd');
}
