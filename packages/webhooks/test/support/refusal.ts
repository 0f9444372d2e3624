import { WebhookError } from '@svc/webhooks';
import { expect } from 'vitest';

/** The `WebhookError` that `act` throws or rejects with. Fails if there is none, or if it has no hint. */
export async function refusalOf(act: () => unknown): Promise<WebhookError> {
  try {
    await act();
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    expect(error.hint.length).toBeGreaterThan(15);
    return error;
  }
  throw new Error('nothing was refused');
}

/** Its code. */
export async function codeOf(act: () => unknown): Promise<string> {
  return (await refusalOf(act)).code;
}
