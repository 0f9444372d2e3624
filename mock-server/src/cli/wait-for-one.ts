import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedAttempt } from '@svc/contract/control/resources';
import type { CommandContext } from './context.ts';
import { DidNotHappenError } from './exit.ts';

const LOOK_INTERVAL_MS = 100;

/**
 * Waits for the first attempt of a delivery and shows its result.
 *
 * @throws {@link DidNotHappenError} if the attempt failed or was not made in time.
 */
export async function waitForOne(
  { control, output }: CommandContext,
  deliveryId: string,
  timeoutMs: number,
): Promise<void> {
  const attempt = await firstAttempt(control, deliveryId, performance.now() + timeoutMs);
  const result = attempt?.error === null ? `HTTP ${attempt.response?.status}` : attempt?.error;
  output.result(
    { deliveryId, attempt: attempt ?? null },
    () => `${deliveryId}: ${attempt ? `${result} in ${attempt.responseTimeMs} ms` : 'no attempt yet'}`,
  );
  if (!attempt) throw new DidNotHappenError('The delivery was not attempted in time.');
  if (attempt.error !== null) throw new DidNotHappenError(`The delivery failed: ${attempt.error}.`);
}

async function firstAttempt(
  control: CommandContext['control'],
  deliveryId: string,
  endsAt: number,
): Promise<LoggedAttempt | undefined> {
  for (;;) {
    const { attempts } = await control.listAttempts({ deliveryId });
    if (attempts[0] || performance.now() >= endsAt) return attempts[0];
    await sleep(LOOK_INTERVAL_MS);
  }
}
