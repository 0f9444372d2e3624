import { createInterface } from 'node:readline/promises';
import { UsageError } from './exit.ts';
import type { Output } from './output/output.ts';

/**
 * Asks for confirmation before many things change.
 *
 * @throws {@link UsageError} without a terminal, because nobody can answer.
 */
export async function confirm(
  output: Output,
  question: string,
  { yes }: { yes?: boolean | undefined },
): Promise<boolean> {
  if (yes) return true;
  if (!output.interactive || !process.stdin.isTTY) {
    throw new UsageError(`${question} Nobody can answer without a terminal. Add --yes to go on.`);
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}
