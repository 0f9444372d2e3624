import { BlockedAddressError } from '../../network/guarded-connector.ts';
import { OtherProtocolError, ResponseTooLargeError } from '../../network/read-in-pieces.ts';
import { UnresolvedNameError } from '../../network/resolve-name.ts';
import { SHORTAGES } from '../../network/shortages.ts';

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
  INVALID_PURPOSE: 'a certificate in the chain has the wrong purpose',
  ERR_TLS_CERTIFICATE_KEY:
    'unsupported kind of key in a certificate (supported: RSA, P-256, P-384, P-521, Ed25519, Ed448, ML-DSA)',
  ERR_TLS_CERTIFICATE_PART: 'a name or an extension in a certificate could take too long to check',
  ERR_TLS_RENEGOTIATION: 'the receiver requested a renegotiation',
  ERR_TLS_TOO_MANY_CERTIFICATES: 'too many certificates, or certificates that take too long to verify',
};

/** Returns the system's error code if the error means that this machine ran out of a resource. */
export function shortageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnresolvedNameError) return shortageOf(error.cause);
  const { code = '', errors } = error as { code?: string; errors?: unknown[] };
  if (Array.isArray(errors)) return errors.map(shortageOf).find((shortage) => shortage !== undefined);
  return SHORTAGES.has(code) ? code : undefined;
}

/** Returns the delivery's error text. `headWasRead` must be true if a response head has arrived. */
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
  // None of the host name's addresses could be reached.
  if (Array.isArray(errors) && errors.length > 0) return errorTextOf(errors[0], headWasRead);
  // If the head was read, the connection ended before the whole body arrived. Otherwise, the lengths in the head
  // contradict each other.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return headWasRead ? 'Connection reset' : 'Invalid HTTP response';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(message)) return 'Invalid HTTP response';
  if (TEXTS[code] !== undefined) return TEXTS[code];
  if (TLS_TEXTS[code] !== undefined) return `TLS: ${TLS_TEXTS[code]}`;
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|INVALID_|PATH_LENGTH_)|^EPROTO$/.test(code))
    return `TLS: ${readable(code)}`;
  // A less common error in a certificate chain. The message comes from OpenSSL.
  if (code === 'UNSPECIFIED') return `TLS: ${message}`;
  // undici throws `ERR_ASSERTION` for a status below 100, and for data after an unrequested status 101.
  if (name === 'HTTPParserError' || code.startsWith('HPE_') || code === 'ERR_ASSERTION') return 'Invalid HTTP response';
  return 'Connection failed';
}

/**
 * `ERR_SSL_WRONG_VERSION_NUMBER` becomes "wrong version number". In the code of a TLS alert, the protocol's name, such
 * as `TLSV13`, is removed: this name depends on the version of OpenSSL, and not on the connection.
 */
const readable = (code: string) =>
  code === 'EPROTO'
    ? 'handshake failed'
    : code
        .replace(/^ERR_(SSL|TLS)_((SSL\/TLS|SSLV3|TLSV1|TLSV13)_(?=ALERT_))?/, '')
        .replaceAll('_', ' ')
        .toLowerCase();
