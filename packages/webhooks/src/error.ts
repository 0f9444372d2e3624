import { isString } from './option-checks.ts';

/**
 * The reason why a delivery or the setup of a receiver was rejected. Codes are stable, so programs can rely on them.
 */
export type WebhookErrorCode =
  | 'missing_header'
  | 'duplicate_header'
  | 'malformed_id'
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'too_many_signatures'
  | 'no_supported_signature'
  | 'malformed_signature'
  | 'no_match'
  | 'method_not_allowed'
  | 'unsupported_content_type'
  | 'body_too_large'
  | 'body_already_read'
  | 'body_not_raw'
  | 'body_not_utf8'
  | 'body_invalid_json'
  | 'envelope_invalid'
  | 'secrets_async'
  | 'secret_empty'
  | 'secret_whitespace'
  | 'secret_prefix'
  | 'secret_encoding'
  | 'secret_length';

/** The error for a header that is missing or has a value that the service never sends. */
export function headerError(code: WebhookErrorCode, name: string, status = 400): WebhookError {
  return new WebhookError(code, status, `Check if a proxy changes ${name}.`);
}

/** Optional details for the constructor of {@link WebhookError}. */
export interface WebhookErrorDetails {
  /** True if the signature is valid, but the content cannot be used. The default is false. */
  authenticated?: boolean;
  /** `webhook-timestamp` minus the receiver's clock, in seconds. Negative if the timestamp is in the past. */
  skewSeconds?: number;
  /** The error that caused this error. */
  cause?: unknown;
  /**
   * The first sentence of the message, without the period. This sentence says what happened. By default, the sentence
   * consists of the words in the code.
   */
  what?: string;
}

/**
 * The error for a rejected delivery or an invalid receiver setup. Neither the message nor any property contains a
 * secret or a signature. The message contains no data from the sender.
 *
 * {@includeCode ../test/documented/errors.ts#error}
 */
export class WebhookError extends Error {
  /** The reason for the error. */
  declare readonly code: WebhookErrorCode;
  /**
   * The HTTP status to respond with. The status is 500 for the receiver's own mistakes, so that the service sends the
   * delivery again.
   */
  declare readonly status: number;
  /**
   * A hint that tells the operator of the receiver what to do. The message says what happened, and ends with this
   * hint.
   */
  declare readonly hint: string;
  /**
   * True if the signature is valid, but the content cannot be used. If true, the cause is a mistake by the sender and
   * not an attack.
   */
  declare readonly authenticated: boolean;
  /**
   * For a timestamp error: `webhook-timestamp` minus the receiver's clock, in seconds. Negative if the timestamp is in
   * the past.
   */
  declare readonly skewSeconds: number | undefined;

  constructor(
    code: WebhookErrorCode,
    status: number,
    hint: string,
    { what = code.replace(/_/g, ' '), ...details }: WebhookErrorDetails = {},
  ) {
    super(`${what}. ${hint}`);
    Object.assign(this, { code, status, hint, authenticated: false, ...details });
  }

  override get name() {
    return 'WebhookError';
  }

  /** Whether `value` is a `WebhookError`, even one from another copy or build of this package. */
  static is(value: unknown): value is WebhookError {
    const { name, code, status } = Object(value);
    // Check more than the name, because the receiver responds with the error's code and status.
    return name === 'WebhookError' && isString(code) && Number.isInteger(status);
  }
}
