import { signal } from '@preact/signals';
import type { ClockChange, ClockChanged } from '@svc/contract/control/types';
import { control } from './control.ts';

/** The move of the clock that this tab waits for. `from` and `to` are times in milliseconds. */
export const move = signal<{ from: number; to: number | undefined } | undefined>(undefined);

export const IS_MOVING = 'The clock is moving';

/** Moves the clock. Resolves when all work that became due is done. */
export async function moveClock(change: ClockChange, from: number, to?: number): Promise<ClockChanged> {
  move.value = { from, to };
  try {
    return await control('POST', '/clock', { body: change });
  } finally {
    move.value = undefined;
  }
}

/** Returns the time at which the server's next work is due, in any workspace. Null if no work is scheduled. */
export async function nextDueAt(): Promise<string | null> {
  const settled = await control('POST', '/settle', { body: { timeoutMs: 0 } });
  return settled.nextDueAt;
}

/** Returns, for example, "ran 30 attempts and 2 evaluations". */
export function ranText({ attempts, evaluations }: ClockChanged['ran']): string {
  const count = (number: number, word: string) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
  return evaluations > 0
    ? `ran ${count(attempts, 'attempt')} and ${count(evaluations, 'evaluation')}`
    : `ran ${count(attempts, 'attempt')}`;
}
