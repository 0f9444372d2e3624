/**
 * Thrown if the messages of a TLS server are not allowed, or could take too long to read. The texts that users see are
 * in `delivery/sending/attempt-error.ts`.
 */
export class TlsRefusedError extends Error {
  override readonly name = 'TlsRefusedError';
  readonly code: `ERR_TLS_${string}`;

  constructor(code: `ERR_TLS_${string}`, message: string) {
    super(message);
    this.code = code;
  }
}
