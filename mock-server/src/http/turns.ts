import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { hashCredential } from '../domain/credential.ts';
import { bearerOf } from './bearer.ts';
import { createFairShare } from './fair-share.ts';

/**
 * The maximum number of requests of a credential or an address that may wait. Each waiting request may have an unread
 * body.
 */
const WAITING_MAX = 1_000;
/** The maximum number of valid credentials to remember. */
const KNOWN_MAX = 10_000;

/**
 * Lets the requests of a credential wait for each other. Requests without a valid credential wait for other such
 * requests from their address.
 */
export interface Turns {
  /** Runs work before the caller is known. @throws 503 if too many requests wait, as `serve` does. */
  take<Result>(c: Context, work: () => Promise<Result>): Promise<Result>;
  /**
   * Identifies the caller, then serves the request. While the request waits for its turn, it causes no query, and its
   * body is not read.
   */
  serve<Caller, Result>(
    c: Context,
    identify: () => Promise<Caller>,
    respond: (caller: Caller) => Promise<Result>,
  ): Promise<Result>;
}

/** @param atOnceMax - How many requests of a credential, or of an address, may run at the same time. */
export function createTurns(atOnceMax: number): Turns {
  const share = createFairShare({ atOnceMax, limitsWrites: true, waitingMax: WAITING_MAX });
  /**
   * The hashes of credentials that were valid. Invalid credentials are not remembered, because a client could send any
   * number of them.
   */
  const known = new Set<string>();

  function senderOf(c: Context): { credential: string | undefined; address: string } {
    const text = bearerOf(c.req.header('Authorization'));
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
    return {
      credential: text === undefined ? undefined : hashCredential(text),
      address: incoming?.socket.remoteAddress ?? 'no socket',
    };
  }

  function remember(credential: string): void {
    if (known.size >= KNOWN_MAX) known.clear();
    known.add(credential);
  }

  return {
    async take(c, work) {
      const { credential, address } = senderOf(c);
      return await share(credential !== undefined && known.has(credential) ? credential : address, true, work);
    },

    async serve(c, identify, respond) {
      const { credential = '', address } = senderOf(c);
      if (known.has(credential)) return await share(credential, true, async () => await respond(await identify()));
      // End the turn of the address before the body is read: otherwise, a tenant could make other clients at its
      // address wait for a slow body.
      const caller = await share(address, true, identify);
      remember(credential);
      return await share(credential, true, async () => await respond(caller));
    },
  };
}
