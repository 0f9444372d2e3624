import { createHash } from 'node:crypto';
import { CREDENTIAL_PREFIXES, type CredentialKind } from '@svc/contract';
import { type Random, systemRandom } from './random.ts';

/**
 * Creates a credential: its kind's prefix and 192 random bits.
 *
 * @param id - Its id. With a seed, the text follows from it.
 */
export function createCredential(
  kind: CredentialKind,
  test: boolean,
  id: string,
  random: Random = systemRandom,
): string {
  const bits = random.bytes(`credential:${id}`, 24);
  return `${CREDENTIAL_PREFIXES[kind][test ? 'test' : 'live']}${bits.toString('base64url')}`;
}

/** Which kind a text is by its prefix, or `undefined` where it is none. */
export function credentialKindOf(text: string): { kind: CredentialKind; test: boolean } | undefined {
  for (const kind of ['api_key', 'personal_access_token'] as const) {
    const prefixes = CREDENTIAL_PREFIXES[kind];
    if (text.startsWith(prefixes.live)) return { kind, test: text.startsWith(prefixes.test) };
  }
  return undefined;
}

/** Matches a text in any case, each of its characters written plainly or percent-encoded, also more than once. */
const spelled = (text: string): string =>
  [...text]
    .map((character) => {
      const codes = [character.toLowerCase(), character.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
      return `(?:${character}|%(?:25)*(?:${codes.join('|')}))`;
    })
    .join('');

const CREDENTIAL = new RegExp(`${spelled('svc_')}(?:${spelled('sk_')}|${spelled('pat_')})[\\w%-]+`, 'gi');

/** The text with every credential in it blotted out, for logs. */
export const redactCredentials = (text: string): string => text.replaceAll(CREDENTIAL, 'svc_[redacted]');

/** What is stored of a credential, and what it is found by: SHA-256, hexadecimal. The credential has enough entropy to need no more. */
export const hashCredential = (text: string): string => createHash('sha256').update(text).digest('hex');
