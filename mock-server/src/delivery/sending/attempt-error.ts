import { OtherProtocolError, ResponseTooLargeError } from '../../network/read-in-pieces.ts';
import { BlockedAddressError } from './guarded-connector.ts';
import { UnresolvedNameError } from './resolve-name.ts';

/**
 * Returns the error text of a delivery that got no response within the time limit. The error texts for responses are in
 * `attempt.ts`.
 */
export const timeoutText = (timeoutMs: number) => `Timed out after ${timeoutMs / 1000} s`;

const TEXTS: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset',
  EPIPE: 'Connection reset',
  ECONNABORTED: 'Connection reset',
  UND_ERR_SOCKET: 'Connection reset',
  EHOSTUNREACH: 'Host unreachable',
  ENETUNREACH: 'Network unreachable',
  EADDRNOTAVAIL: 'Network unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'Response headers too large',
};

const TLS_TEXTS: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in the chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'issuer of the certificate is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer of the certificate is unknown',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not yet valid',
};

/**
 * These system errors mean that this machine has run out of a resource, and that the receiver is not at fault.
 * `EADDRNOTAVAIL` (no free local port) is not in this set: on Linux, each address and port of a receiver has its own
 * supply of local ports. So if the ports for one receiver are used up, attempts to other receivers can continue.
 */
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/**
 * Returns the system's error code if the connection failed because this machine had run out of a resource. `undefined`
 * if the connection failed for another reason.
 */
export function shortageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnresolvedNameError) return shortageOf(error.cause);
  const { code = '', errors } = error as { code?: string; errors?: unknown[] };
  if (Array.isArray(errors)) return errors.map(shortageOf).find((shortage) => shortage !== undefined);
  return SHORTAGES.has(code) ? code : undefined;
}

/**
 * Converts the error of an exchange to the short error text that the delivery shows.
 *
 * @param headWasRead - Whether the exchange failed after the response's head was read.
 */
export function errorTextOf(error: unknown, headWasRead = false): string {
  if (error instanceof BlockedAddressError) return 'Blocked address';
  if (error instanceof UnresolvedNameError) return 'DNS lookup failed';
  if (error instanceof ResponseTooLargeError) return 'Response headers too large';
  if (error instanceof OtherProtocolError) return 'Invalid HTTP response';
  const {
    code = '',
    name = '',
    message = '',
    errors,
  } = error as Partial<NodeJS.ErrnoException> & { errors?: unknown[] };
  // The connections to all addresses of the name failed. Use the error of the first address.
  if (Array.isArray(errors) && errors.length > 0) return errorTextOf(errors[0], headWasRead);
  // After the head of a response, this code means that the connection ended before the whole body arrived. Before the
  // end of the head, the code means that the head contains contradictory lengths.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return headWasRead ? 'Connection reset' : 'Invalid HTTP response';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(message)) return 'Invalid HTTP response';
  if (TEXTS[code] !== undefined) return TEXTS[code];
  if (TLS_TEXTS[code] !== undefined) return `TLS: ${TLS_TEXTS[code]}`;
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)|^EPROTO$/.test(code)) return `TLS: ${readable(code)}`;
  // undici asserts that a status is at least 100, and that no data follows a status 101 that undici has not requested.
  // So a failed assertion means an invalid response.
  if (name === 'HTTPParserError' || code.startsWith('HPE_') || code === 'ERR_ASSERTION') return 'Invalid HTTP response';
  return 'Connection failed';
}

/** Makes an error code readable: `ERR_SSL_WRONG_VERSION_NUMBER` becomes "wrong version number". */
const readable = (code: string) =>
  code === 'EPROTO'
    ? 'handshake failed'
    : code
        .replace(/^ERR_(SSL|TLS)_/, '')
        .replaceAll('_', ' ')
        .toLowerCase();
