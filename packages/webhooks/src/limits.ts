import { checkWhole } from './whole.ts';

/** The limits of a message. `createWebhooks` and `verifyWebhook` throw `RangeError` if a limit is invalid. */
export interface VerificationLimits {
  /**
   * The maximum difference between `webhook-timestamp` and the clock, in either direction, in seconds. Must be a
   * positive integer. The default is 300, as the service requires.
   */
  toleranceSeconds?: number | undefined;
  /**
   * The current time, in milliseconds since the epoch: a number, or a function that returns a number. The default is
   * `Date.now`.
   */
  now?: number | (() => number) | undefined;
  /** The maximum size of a body, in bytes. Must be a positive integer. The default is 1 MiB. */
  maxBodyBytes?: number | undefined;
  /** The maximum number of entries in `webhook-signature`. Must be a positive integer. The default is 32. */
  maxSignatures?: number | undefined;
}

/** The names of the {@link VerificationLimits}, which `body.ts`, `timestamp.ts` and `signature-header.ts` apply. */
export const LIMITS: (keyof VerificationLimits)[] = ['toleranceSeconds', 'maxBodyBytes', 'maxSignatures', 'now'];

/** The checked limits, with the defaults for missing limits. */
export type Limits = { [Name in keyof VerificationLimits]-?: NonNullable<VerificationLimits[Name]> };

/**
 * Adds the defaults to the limits. Throws `RangeError` if a limit is not a positive integer, because such a limit could
 * let every message or no message through.
 */
export function toLimits({
  toleranceSeconds = 300,
  maxBodyBytes = 1_048_576,
  maxSignatures = 32,
  now = Date.now,
}: VerificationLimits): Limits {
  checkWhole('toleranceSeconds', toleranceSeconds);
  checkWhole('maxBodyBytes', maxBodyBytes);
  checkWhole('maxSignatures', maxSignatures);
  return { toleranceSeconds, maxBodyBytes, maxSignatures, now };
}
