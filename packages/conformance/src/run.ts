import { visibleText } from './print.ts';
import { createProbe } from './probe.ts';
import type { Statement } from './statement.ts';
import type { Need, Target } from './target.ts';

/**
 * `differs` means that the service does not follow this project's decision on a point that the document leaves open.
 */
export type Outcome = 'pass' | 'fail' | 'differs' | 'not testable';

export interface Result {
  statement: Statement;
  outcome: Outcome;
  /** Why the statement does not pass; undefined if it passes. */
  reason: string | undefined;
}

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

/**
 * Returns the error's message for the report, with shortened credentials and without characters that control a
 * terminal.
 */
export function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  // The message of a failed `fetch` does not say why the call failed, so add the message of the cause.
  const told = error instanceof TypeError && cause instanceof Error ? `${message}: ${cause.message || cause}` : message;
  return visibleText(told.replaceAll(/\b(svc_sk_|svc_pat_|whsec_)[\w-]+/g, '$1…'));
}
