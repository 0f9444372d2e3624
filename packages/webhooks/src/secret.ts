import { WebhookError } from './error.ts';

const PREFIX = 'whsec_';

/**
 * Reads a signing secret: `whsec_` and base64url or base64, padded or not, of 24 to 64 bytes.
 * Never gives a key other than the one that is meant: whatever is not exactly that throws {@link WebhookError}.
 */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> {
  if (!text || text === PREFIX) throw new WebhookError('secret_empty', 500, 'is the variable set?');
  if (/\s/.test(text)) throw new WebhookError('secret_whitespace', 500, 'trim it, or pass an array');
  if (!text.startsWith(PREFIX)) throw new WebhookError('secret_prefix', 500, prefixHint(text));
  const rest = text.slice(PREFIX.length);
  // The prefix is base64url itself: a doubled one would be part of another key.
  if (rest.startsWith(PREFIX)) throw new WebhookError('secret_prefix', 500, 'the prefix stands there twice');
  const bytes = decode(rest);
  if (!bytes) throw new WebhookError('secret_encoding', 500, 'not base64url; copy it again, whole');
  if (bytes.length < 24 || bytes.length > 64) {
    throw new WebhookError('secret_length', 500, `${bytes.length} bytes, not 24 to 64; copy it again, whole`);
  }
  return bytes;
}

/** Without the prefix the rest may still be valid base64url, hence a wrong key: the prefix is required. */
function prefixHint(text: string): string {
  if (/^wh[ps]k_/.test(text)) return 'this is for v1a; use the whsec_ one';
  if (text.includes(PREFIX)) return 'remove the quotes before whsec_';
  return 'pass it whole, whsec_ included';
}

/** Reads either alphabet of base64; `undefined` where encoding the bytes again does not give the same text. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  if (/[-_]/.test(text) && /[+/]/.test(text)) return undefined;
  try {
    const binary = atob(standard);
    // Bits that stand behind the last byte would be dropped without a word: two spellings of one key.
    const canonical = btoa(binary);
    if (standard !== canonical && standard !== canonical.replace(/=+$/, '')) return undefined;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
