import { WebhookError, type WebhookErrorCode } from './error.ts';

/**
 * Reads a signing secret: `whsec_` and base64url or base64, padded or not, of 24 to 64 bytes.
 * Never gives a key other than the one that is meant: whatever is not exactly that throws {@link WebhookError}.
 */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> {
  const rest = typeof text === 'string' ? text.replace(/^whsec_/, '') : '';
  if (!rest) throw refusal('secret_empty', 'is the variable set?');
  // Zero-width characters and their like too: an eye does not see them, and copying from a page takes them along.
  if (/[\s,\p{C}]/u.test(text)) throw refusal('secret_whitespace', 'trim it, hidden characters too; several: an array');
  if (/^wh[ps]k_/.test(text)) throw refusal('secret_prefix', 'for v1a; use whsec_');
  // Without the prefix the rest may be valid base64url, and so is the prefix itself where it stands twice: either would be another key.
  if (rest === text || /["'`<{]|.whsec_/.test(text)) {
    throw refusal('secret_prefix', 'pass it whole, from whsec_ on, no quotes');
  }
  // 64 bytes have at most 88 characters. Whatever is longer is not even decoded.
  const bytes = rest.length > 88 ? rest : decode(rest);
  if (!bytes) throw refusal('secret_encoding', 'not base64url; copy it whole');
  if (bytes.length < 24 || bytes.length > 64) throw refusal('secret_length', 'not 24 to 64 bytes; copy it whole');
  return bytes as Uint8Array<ArrayBuffer>;
}

const refusal = (code: WebhookErrorCode, hint: string): WebhookError => new WebhookError(code, 500, hint);

/** Reads either alphabet of base64; `undefined` where encoding the bytes again does not give the same text. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  if (/[-_].*[+/]|[+/].*[-_]/.test(text)) return undefined;
  try {
    // It takes no padding but the right one, or none.
    const binary = atob(standard);
    // Bits that stand behind the last byte would be dropped without a word: two spellings of one key.
    if (!btoa(binary).startsWith(standard)) return undefined;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
