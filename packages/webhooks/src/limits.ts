import { checkWhole } from './whole.ts';

/** The limits of a message. An invalid limit throws `RangeError` when the receiver is created. */
export interface VerificationLimits {
  /**
   * How far `webhook-timestamp` may be from the clock, in either direction. A positive integer of seconds. The default
   * is 300, as the service requires.
   */
  toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds since the epoch: a number, or a function such as `Date.now`, the default. */
  now?: number | (() => number) | undefined;
  /** The largest body, in bytes. A positive integer. The default is 1 MiB. */
  maxBodyBytes?: number | undefined;
  /** The largest number of entries in `webhook-signature`. A positive integer. The default is 32. */
  maxSignatures?: number | undefined;
}

/** The names of {@link VerificationLimits}. */
export const LIMITS: (keyof VerificationLimits)[] = ['toleranceSeconds', 'maxBodyBytes', 'maxSignatures', 'now'];

/** The limits, complete and checked. */
export type Limits = { [Name in keyof VerificationLimits]-?: NonNullable<VerificationLimits[Name]> };

/** Adds the defaults. Throws if a limit would accept everything or nothing. */
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
