import { WebhookError, type WebhookErrorCode } from './error.ts';
import { isString } from './option-checks.ts';

/**
 * Reads a signing secret: `whsec_`, followed by 24 to 64 bytes in base64url or base64, padded or not. Throws
 * {@link WebhookError} for any other string, so the function never returns a wrong key.
 */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> {
  return readSecret(text, 'The secret');
}

/** Like {@link parseSecret}, but errors name the option that contains the secret. */
export function readSecret(text: string, option: string): Uint8Array<ArrayBuffer> {
  const refusal = (code: WebhookErrorCode, hint = 'Copy it whole, from whsec_ on, without quotes') =>
    new WebhookError(code, 500, `${hint}.`, { what: `${option} is ${rest ? 'invalid' : 'empty'}` });
  const rest = isString(text) ? text.replace(/^whsec_/, '') : '';
  if (!rest) throw refusal('secret_empty', 'Set its variable');
  // Some dashboards show the signature version before the secret, so users may copy the version too.
  if (/^v1,/.test(text)) throw refusal('secret_prefix', 'Remove the "v1," prefix');
  // Text that is copied from a page may contain zero-width characters, which are invisible.
  if (/[\s,\p{C}]/u.test(text)) {
    throw refusal('secret_whitespace', 'Remove spaces and hidden characters, or pass an array');
  }
  if (/^wh[ps]k_/.test(text)) throw refusal('secret_prefix', 'Pass a whsec_ secret, not a v1a key');
  // Reject a secret without a prefix, and a secret with two prefixes. Such a secret may still be valid base64url, but
  // would result in a wrong key.
  if (rest === text || /["'`<{]|.whsec_/.test(text)) throw refusal('secret_prefix');
  // The base64 of 64 bytes has at most 88 characters. A longer string is always too long, so do not decode it.
  const bytes = rest.length > 88 ? rest : decode(rest);
  if (!bytes) throw refusal('secret_encoding');
  if (bytes.length < 24 || bytes.length > 64) throw refusal('secret_length');
  return bytes as Uint8Array<ArrayBuffer>;
}

/**
 * Decodes base64 or base64url. Returns undefined if the text is neither, mixes both alphabets, or has unused bits that
 * are not 0.
 */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  const standard = text.replace(/-/g, '+').replace(/_/g, '/');
  const mixesAlphabets = standard !== text && /[+/]/.test(text);
  if (mixesAlphabets) return undefined;
  try {
    // `atob` accepts a string with correct padding or without padding.
    const binary = atob(standard);
    // Reject unused bits that are not 0. `atob` ignores these bits, so the same key could be written in several ways.
    if (btoa(binary).startsWith(standard)) return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    // `atob` throws if the text is not base64.
  }
  return undefined;
}
