import { createHash } from 'node:crypto';
import { CREDENTIAL_PREFIXES, type CredentialKind } from '@svc/contract';
import { type Random, systemRandom } from './random.ts';

/** @param id - With a seeded `random`, the credential depends on the seed and on this id. */
export function createCredential(
  kind: CredentialKind,
  test: boolean,
  id: string,
  random: Random = systemRandom,
): string {
  const bits = random.bytes(`credential:${id}`, 24);
  return `${CREDENTIAL_PREFIXES[kind][test ? 'test' : 'live']}${bits.toString('base64url')}`;
}

export function credentialKindOf(text: string): { kind: CredentialKind; test: boolean } | undefined {
  for (const kind of ['api_key', 'personal_access_token'] as const) {
    const prefixes = CREDENTIAL_PREFIXES[kind];
    if (text.startsWith(prefixes.live)) return { kind, test: text.startsWith(prefixes.test) };
  }
  return undefined;
}

/** Matches the first part of the JSON escape of an ASCII character. JSON in a JSON string has more backslashes. */
const ESCAPE = String.raw`\\{1,4}u00`;

/** Returns a pattern (for flag `i`) that matches a string, even with percent-encoded or JSON-escaped characters. */
const spelled = (text: string): string =>
  [...text]
    .map((character) => {
      const codes = [character.toLowerCase(), character.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
      return `(?:${character.replace(/\W/, '\\\\{0,4}\\$&')}|(?:%(?:25)*|${ESCAPE})(?:${codes.join('|')}))`;
    })
    .join('');

const KINDS = ['sk_', 'pat_', 'ses_'].map(spelled).join('|');
const CREDENTIAL = new RegExp(`${spelled('svc_')}(?:${KINDS})(?:[\\w%-]|${ESCAPE})+`, 'gi');

const SIGNING_SECRET = new RegExp(`${spelled('whsec_')}(?:[\\w+/=%-]|${ESCAPE})+`, 'gi');

// Matches a URL's user info, except `user:password`, the placeholder in our own messages. A user name alone may be a
// token. The URL may be percent-encoded once or JSON-escaped.
const USER_INFO = /((?::|%3a)(?:\\{0,4}\/|%2f){2})(?!user:password@)(?:(?!%2f|%3f|%23)[^\s/?#"\\])+(?:@|%40)/gi;

export const redactSecrets = (text: string): string =>
  text
    .replaceAll(CREDENTIAL, 'svc_[redacted]')
    .replaceAll(SIGNING_SECRET, 'whsec_[redacted]')
    .replaceAll(USER_INFO, '$1[redacted]@');

/** The minimum length of an admin token. Redacting a shorter text could also change other words. */
export const ADMIN_TOKEN_LENGTH_MIN = 32;

/** Returns a function that also redacts an admin token. */
export function createRedaction(adminToken = ''): (text: string) => string {
  if (adminToken.length < ADMIN_TOKEN_LENGTH_MIN) return redactSecrets;
  const token = new RegExp(spelled(adminToken), 'gi');
  return (text) => redactSecrets(text.replaceAll(token, '[redacted]'));
}

/** A credential has enough entropy, so the hash needs no salt. */
export const hashCredential = (text: string): string => createHash('sha256').update(text).digest('hex');
