import type { Caller } from '../caller.ts';

/** The user behind a caller. The pipeline has let only personal access tokens through to the operations that ask. */
export function userOf(caller: Caller): string {
  if (caller.kind !== 'personal_access_token') throw new TypeError('An API key does not represent a user.');
  return caller.userId;
}
