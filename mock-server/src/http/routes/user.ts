import type { Caller } from '../caller.ts';

/** The user behind a caller. Earlier checks accept only personal access tokens for operations that call this. */
export function userOf(caller: Caller): string {
  if (caller.kind !== 'personal_access_token') throw new TypeError('An API key does not represent a user.');
  return caller.userId;
}
