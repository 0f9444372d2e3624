import { checkWhole } from './whole.ts';

/** The bounds within which a message is accepted. A bad one throws `RangeError` when the receiver is created. */
export interface VerificationLimits {
  /** How far `webhook-timestamp` may lie from the clock, in whole seconds, at least 1, on either side. 300 unless given, as the service asks. */
  toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds since the epoch: a number, or a function such as `Date.now`, the default. */
  now?: number | (() => number) | undefined;
  /** Largest body, in bytes, at least 1. 1 MiB unless given. */
  maxBodyBytes?: number | undefined;
  /** Largest number of entries of `webhook-signature`, at least 1. 32 unless given. */
  maxSignatures?: number | undefined;
}

/** The bounds, complete and checked. */
export type Limits = { [Name in keyof VerificationLimits]-?: NonNullable<VerificationLimits[Name]> };

/** Adds the defaults. Throws if a bound would accept everything, or nothing. */
export function toLimits({
  toleranceSeconds = 300,
  now = Date.now,
  maxBodyBytes = 1_048_576,
  maxSignatures = 32,
}: VerificationLimits): Limits {
  checkWhole('toleranceSeconds', toleranceSeconds);
  checkWhole('maxBodyBytes', maxBodyBytes);
  checkWhole('maxSignatures', maxSignatures);
  return { toleranceSeconds, maxBodyBytes, maxSignatures, now };
}
