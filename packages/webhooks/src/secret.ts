import { WebhookError, type WebhookErrorCode } from './error.ts';

/**
 * Reads a signing secret: `whsec_` and base64url or base64, padded or not, of 24 to 64 bytes.
 * Throws {@link WebhookError} for any other text, so it never returns a key other than the one that is meant.
 */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> {
  return readSecret(text, 'the secret');
}

/** As {@link parseSecret}; errors call the secret `name`. */
export function readSecret(text: string, name: string): Uint8Array<ArrayBuffer> {
  const rest = typeof text === 'string' ? text.replace(/^whsec_/, '') : '';
  if (!rest) throw refusal('secret_empty', `Set the variable that holds ${name}.`);
  // Some dashboards show a secret together with the version of its signatures.
  if (/^v1,/.test(text)) throw refusal('secret_prefix', `Remove v1, from ${name}.`);
  // Nobody sees a zero-width character, and copying from a page may take one along.
  if (/[\s,\p{C}]/u.test(text)) {
    throw refusal(
      'secret_whitespace',
      `Copy ${name} again, or trim it, hidden characters too. Pass several in an array.`,
    );
  }
  if (/^wh[ps]k_/.test(text)) throw refusal('secret_prefix', `Pass a whsec_ secret: ${name} is for v1a.`);
  // Without the prefix, the rest may be valid base64url. So is the prefix itself if it comes twice. Either would be another key.
  if (rest === text || /["'`<{]|.whsec_/.test(text)) {
    throw refusal('secret_prefix', `Pass ${name} whole, from whsec_ on, without quotes.`);
  }
  // 64 bytes have at most 88 characters. A longer text is not even decoded.
  const bytes = rest.length > 88 ? rest : decode(rest);
  if (!bytes) throw refusal('secret_encoding', `Copy ${name} again, whole.`);
  if (bytes.length < 24 || bytes.length > 64) {
    throw refusal('secret_length', `Copy ${name} again, whole.`);
  }
  return bytes as Uint8Array<ArrayBuffer>;
}

const refusal = (code: WebhookErrorCode, hint: string): WebhookError => new WebhookError(code, 500, hint);

/** Reads either alphabet of base64. Undefined if encoding the bytes again results in another text. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  const standard = text.replace(/-/g, '+').replace(/_/g, '/');
  if (/[-_]/.test(text) && /[+/]/.test(text)) return undefined;
  try {
    // It accepts the right padding or none.
    const binary = atob(standard);
    // It ignores bits after the last byte, so a key would have several spellings.
    if (!btoa(binary).startsWith(standard)) return undefined;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
