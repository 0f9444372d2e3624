import { createInterface } from 'node:readline/promises';
import { visibleLine } from '../domain/visible-text.ts';
import { DidNotHappenError, UsageError } from './exit-codes.ts';
import type { Confirmable } from './options.ts';
import type { Output } from './output/output.ts';
import { drawingStream, printError } from './output/terminal.ts';

/** `otherwise` is the error message if the user does not confirm. */
export async function confirmOrStop(
  output: Output,
  question: string,
  { yes }: Confirmable,
  otherwise: string,
): Promise<void> {
  if (yes) return;
  if (!isTerminal(output)) {
    throw new UsageError(`${question} There is no terminal to confirm in. To continue, add --yes.`);
  }
  if (!(await isConfirmed(question))) throw new DidNotHappenError(otherwise);
}

export const isTerminal = (output: Output): boolean => output.interactive && process.stdin.isTTY;

async function isConfirmed(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: drawingStream() });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${visibleLine(question)} [y/N] `)).trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    // After Ctrl+C or Ctrl+D, the cursor is still on the line of the question.
    printError('\n');
    return false;
  } finally {
    prompt.close();
  }
}
