import type { Context } from 'hono';
import { hashCredential } from '../domain/credential.ts';
import { bearerOf, incomingOf } from './incoming.ts';
import { giveWay, holdPlace } from './limit-connections.ts';
import { createStarts } from './requests-per-pass.ts';
import { createFairShare } from './tenant-concurrency.ts';

/**
 * The maximum number of waiting requests for each credential and each address. The number is limited because each
 * waiting request may have an unread body.
 */
const WAITING_MAX = 1_000;
const KNOWN_MAX = 10_000;

/** The result of {@link createCredentialLimit}. */
export type CredentialLimit = ReturnType<typeof createCredentialLimit>;

/**
 * Limits how many requests with the same credential run at the same time. All other requests wait for their turn.
 * Requests without a valid credential share the limit of their address.
 *
 * @param atOnceMax - How many requests with one credential, or from one address, may run at the same time.
 */
export function createCredentialLimit(atOnceMax: number) {
  const share = createFairShare({ atOnceMax, limitsWrites: true, waitingMax: WAITING_MAX });
  const starts = createStarts(atOnceMax);
  /**
   * The hashes of valid credentials. The hashes of invalid credentials are not kept, because a client could send any
   * number of invalid credentials.
   */
  const known = new Set<string>();

  function senderOf(c: Context): { credential: string | undefined; address: string } {
    const text = bearerOf(c.req.header('Authorization'));
    return {
      credential: text === undefined ? undefined : hashCredential(text),
      address: incomingOf(c)?.socket.remoteAddress ?? 'no socket',
    };
  }

  /**
   * Returns the hash of the credential, if an earlier request has shown that the credential is valid. Otherwise,
   * returns the client's address.
   */
  function lineOf(c: Context): string {
    const { credential, address } = senderOf(c);
    return credential !== undefined && known.has(credential) ? credential : address;
  }

  function remember(credential: string): void {
    if (known.size >= KNOWN_MAX) known.clear();
    known.add(credential);
  }

  return {
    /**
     * Waits until the request may begin. Only a few requests from each sender may begin in each pass of the event loop.
     * Await this function before any other work for the request.
     */
    async begin(c: Context): Promise<void> {
      const socket = incomingOf(c)?.socket;
      if (!socket) return;
      const line = lineOf(c);
      // When the connection limit is reached, a new connection may replace the connection of an unknown client.
      // Otherwise, unknown clients that do not read their responses could use all connections.
      if (!known.has(line)) giveWay(socket);
      await starts(line, socket);
    },

    /**
     * Runs work for a request whose caller is not known yet.
     * @throws 503 if too many requests are waiting, as `serve` does.
     */
    async take<Result>(c: Context, work: () => Promise<Result>): Promise<Result> {
      return await share(lineOf(c), true, work);
    },

    /**
     * Identifies the caller, then serves the request. While the request waits for its turn, no query runs for it, and
     * its body is not read. When the connection limit is reached, a new connection may replace the connection of a
     * waiting request. Otherwise, the requests of one credential could use all connections.
     */
    async serve<Caller, Result>(
      c: Context,
      identify: () => Promise<Caller>,
      respond: (caller: Caller) => Promise<Result>,
    ): Promise<Result> {
      const { credential = '', address } = senderOf(c);
      const socket = incomingOf(c)?.socket;
      if (socket) giveWay(socket);
      const inTurn = (work: () => Promise<Result>) =>
        share(credential, true, async () => {
          holdPlace(socket);
          return await work();
        });
      if (known.has(credential)) return await inTurn(async () => await respond(await identify()));
      // End the turn of the address before the body is read, so that other clients at the same address do not wait for
      // a slow body.
      const caller = await share(address, true, identify);
      remember(credential);
      return await inTurn(() => respond(caller));
    },
  };
}
