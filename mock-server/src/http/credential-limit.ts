import type { Context } from 'hono';
import { hashCredential } from '../domain/credential.ts';
import { bearerOf, clientOf, incomingOf } from './incoming.ts';
import { giveWay, holdPlace } from './limit-connections.ts';
import { createStarts } from './requests-per-pass.ts';
import { createFairShare } from './tenant-concurrency.ts';

/**
 * The maximum number of waiting requests of one credential. Requests without a known credential count for their address
 * instead. Each waiting request may have an unread body.
 */
const WAITING_MAX = 1_000;
const KNOWN_MAX = 10_000;
/** The maximum number of requests that begin in one pass of the event loop. */
const BEGUN_PER_PASS = 4;

export type CredentialLimit = ReturnType<typeof createCredentialLimit>;

/**
 * Limits how many requests with the same credential run at the same time. Further requests with this credential wait
 * for their turn. Requests without a valid credential share the limit of their address.
 */
export function createCredentialLimit(atOnceMax: number, perPassMax = BEGUN_PER_PASS) {
  const share = createFairShare({ atOnceMax, waitingMax: WAITING_MAX });
  const starts = createStarts(perPassMax);
  /**
   * The owners of credentials: a workspace, a user, or `admin` for the admin token. The keys are the hashes of the
   * credentials. Only valid credentials are remembered, because a client could send any number of invalid credentials.
   */
  const owners = new Map<string, string>();

  /** Returns the client's address and the hash of the request's credential. Without a credential, the hash is empty. */
  function identityOf(c: Context): { credential: string; address: string } {
    const text = bearerOf(c.req.header('Authorization'));
    return { credential: text === undefined ? '' : hashCredential(text), address: clientOf(c) ?? 'no socket' };
  }

  function remember(credential: string, owner: string): void {
    if (credential === '' || owners.get(credential) === owner) return;
    if (owners.size >= KNOWN_MAX) owners.clear();
    owners.set(credential, owner);
  }

  return {
    /**
     * Waits until the request may begin. In each pass of the event loop, only a few requests begin, and workspaces and
     * users take turns. Requests without a known credential share the turns of their address. Await `begin` before any
     * other work for the request.
     */
    async begin(c: Context): Promise<void> {
      const socket = incomingOf(c)?.socket;
      if (!socket) return;
      const { credential, address } = identityOf(c);
      const owner = owners.get(credential);
      // While the request waits or its caller is not known yet, a new connection may replace the connection at the
      // connection limit. Otherwise, clients that do not read their responses could use all connections.
      giveWay(socket);
      await starts({ name: owner ?? address, isKnown: owner !== undefined }, socket);
    },

    /** Call this if the request's credential is valid for the control API. Its later requests then begin sooner. */
    rememberAdmin: (c: Context): void => remember(identityOf(c).credential, 'admin'),

    /**
     * Runs work for a request whose caller is not known yet.
     *
     * @throws 503 if too many requests are waiting. `serve` throws the same error.
     */
    async take<Result>(c: Context, work: () => Promise<Result>): Promise<Result> {
      const { credential, address } = identityOf(c);
      return await share(owners.has(credential) ? credential : address, work);
    },

    /**
     * Identifies the caller, then serves the request. While the request waits for its turn, it runs no query, and its
     * body is not read. At the connection limit, a new connection may replace the connection of a waiting request.
     * Otherwise, one credential's requests could use all connections.
     */
    async serve<Caller extends { owner: string }, Result>(
      c: Context,
      identify: () => Promise<Caller>,
      respond: (caller: Caller) => Promise<Result>,
    ): Promise<Result> {
      const { credential, address } = identityOf(c);
      const socket = incomingOf(c)?.socket;
      if (socket) giveWay(socket);
      const inTurn = (work: () => Promise<Result>) =>
        share(credential, async () => {
          holdPlace(socket);
          return await work();
        });
      if (owners.has(credential)) return await inTurn(async () => await respond(await identify()));
      // End the turn of the address before the turn of the credential begins. Otherwise, other clients at this address
      // would wait while the body of this request arrives slowly.
      const caller = await share(address, identify);
      remember(credential, caller.owner);
      return await inTurn(() => respond(caller));
    },
  };
}
