import { headerError, WebhookError } from './error.ts';

const NAME = 'webhook-signature';

/** `v1,` and 32 bytes in canonical base64: 43 characters and `=`. The last character's two unused bits are 0. */
const CANONICAL_V1 = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/**
 * Returns the `v1` entries of `webhook-signature`, a space-separated list of `<version>,<signature>`. Skips entries of
 * other versions. Checks the number and form of the entries before anything is hashed, so that invalid entries cost no
 * hashing time.
 */
export function parseSignatures(header: string, maxSignatures: number): string[] {
  // Try the common case first: a message has several signatures only during a rotation.
  if (CANONICAL_V1.test(header)) return [header];
  const signatures: string[] = [];
  // Accept several spaces between entries, as other libraries do.
  const entries = header.split(/ +/);
  if (entries.length > maxSignatures) {
    throw new WebhookError('too_many_signatures', 400, `Raise maxSignatures above ${maxSignatures}.`);
  }
  for (const entry of entries) {
    if (CANONICAL_V1.test(entry)) signatures.push(entry);
    else if (/,.*,/s.test(entry)) throw headerError('duplicate_header', NAME);
    else if (!/^(?!v1,).+,./s.test(entry)) throw headerError('malformed_signature', NAME);
  }
  if (!signatures.length) throw headerError('no_supported_signature', NAME, 401);
  return signatures;
}

/**
 * Compares a signature of 44 characters with the part after `v1,` in an entry, in constant time. The function does not
 * slice the entry first, because JavaScript engines take several times longer to read the characters of a slice.
 */
export function matchesEntry(expected: string, entry: string): boolean {
  let difference = 0;
  for (let i = expected.length; i--; ) difference |= expected.charCodeAt(i) ^ entry.charCodeAt(i + 3);
  return !difference;
}
