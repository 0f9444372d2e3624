/** Every reason for which a delivery, or the set-up of the receiver, is refused. Stable: programs decide by it. */
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

/** The error for a header that the service does not send like this. */
export function headerError(code: WebhookErrorCode, name: string, status = 400): WebhookError {
  return new WebhookError(code, status, `Pass ${name} on unchanged.`);
}

/** What a {@link WebhookError} knows beyond its code, status and hint. */
export interface WebhookErrorDetails {
  /** The signature held, but the content is unusable. False unless given. */
  authenticated?: boolean;
  /** How far `webhook-timestamp` lies from the receiver's clock: above zero in the future, below in the past. */
  skewSeconds?: number;
  /** The error underneath. */
  cause?: unknown;
  /** What to do about it, if the message should say what happened instead. */
  hint?: string;
}

/**
 * Is the one class of error that this library throws about a delivery or about the set-up of the receiver.
 * Neither the message nor any property ever holds a secret or a signature.
 *
 * {@includeCode ../test/documented/errors.ts#error}
 */
export class WebhookError extends Error {
  /** The reason. */
  declare readonly code: WebhookErrorCode;
  /** The HTTP status to answer with. A receiver's own mistakes are 500, so that the sender tries again and nothing is lost. */
  declare readonly status: number;
  /** What to do about it, for the person who runs the receiver. The message has it too, except that of `no_match`, which says what happened. */
  declare readonly hint: string;
  /** True where the signature held and the content is unusable: a matter for the sender, not an attack. */
  declare readonly authenticated: boolean;
  /** Seconds from the receiver's clock to `webhook-timestamp`, where that is the matter: above zero in the future, below in the past. */
  declare readonly skewSeconds: number | undefined;

  constructor(code: WebhookErrorCode, status: number, hint: string, details: WebhookErrorDetails = {}) {
    super(`${code.replace(/_/g, ' ')}: ${hint}`);
    Object.assign(this, { code, status, hint, authenticated: false, ...details });
  }

  override get name() {
    return 'WebhookError';
  }

  /** Tells whether `value` is a `WebhookError`, also one of another copy or build of this package. */
  static is(value: unknown): value is WebhookError {
    const { name, code, status } = Object(value);
    // Not by its name alone: it is answered with its status.
    return name === 'WebhookError' && typeof code === 'string' && typeof status === 'number';
  }
}
