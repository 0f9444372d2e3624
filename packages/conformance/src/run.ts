import { createProbe, type Target } from './probe.ts';
import type { Statement } from './statement.ts';

/** The result of one statement for one target: nothing, or why it does not hold. */
export interface Result {
  statement: Statement;
  failure: string | undefined;
  tested: boolean;
}

/** Checks every statement against a service, one after the other, each after a reset. */
export async function runStatements(target: Target, statements: readonly Statement[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const statement of statements) {
    results.push({ statement, tested: statement.check !== undefined, failure: await failureOf(target, statement) });
  }
  return results;
}

async function failureOf(target: Target, statement: Statement): Promise<string | undefined> {
  try {
    await using probe = await createProbe(target);
    await statement.check?.(probe);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
