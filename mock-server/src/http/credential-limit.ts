import type { Context } from 'hono';
import { hashCredential } from '../domain/credential.ts';
import { createQuota } from '../runtime/quota.ts';
import { giveWay, holdPlace } from './connections.ts';
import { ConnectionCutError } from './errors.ts';
import { bearerOf, clientOf, incomingOf } from './incoming.ts';

/** How many requests of one credential or address may wait. Each waiting request may have an unread body. */
const WAITING_MAX = 1_000;
const KNOWN_MAX = 10_000;
/**
 * How many requests from known senders, and how many from unknown senders, may begin in one pass of the event loop.
 * Without this limit, a client with a thousand connections could make each pass very long.
 */
const BEGUN_PER_PASS = 4;

/** Limits the running requests of each credential. Requests without a known credential share a limit per address. */
export function createCredentialLimit(atOnceMax: number, perPassMax = BEGUN_PER_PASS) {
  const quota = createQuota({ atOnceMax, waitingMax: WAITING_MAX });
  // A request counts against this quota only until the next pass of the event loop.
  const perPass = { atOnceMax: perPassMax, totalMax: perPassMax, countsTime: false };
  const starts = { known: createQuota(perPass), unknown: createQuota(perPass) };
  /**
   * Maps each credential's hash to the credential's workspace or user, and the admin token's hash to `admin`. Only
   * valid credentials are stored, because a client could send any number of invalid credentials.
   */
  const owners = new Map<string, string>();

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
     * Waits until the request may begin. Senders take turns. A sender is the owner of a credential or, if the client is
     * unknown, the client's address. Await `begin` before any other work for the request.
     *
     * @throws {@link ConnectionCutError} if the connection closes during the wait.
     */
    async begin(c: Context): Promise<void> {
      const socket = incomingOf(c)?.socket;
      if (!socket) return;
      const { credential, address } = identityOf(c);
      const owner = owners.get(credential);
      // While the caller is unknown or the request waits, a new connection may replace this connection. Otherwise,
      // clients that do not read their responses could use up all connections.
      giveWay(socket);
      const begins = owner === undefined ? starts.unknown : starts.known;
      await begins(owner ?? address, async () => {});
      if (socket.destroyed) throw new ConnectionCutError();
    },

    /** Call this if the control API accepts the credential. Later requests with it then come from a known sender. */
    rememberAdmin: (c: Context): void => remember(identityOf(c).credential, 'admin'),

    /** Runs work for a request whose caller is not known yet. @throws 503 if too many requests are waiting. */
    async take<Result>(c: Context, work: () => Promise<Result>): Promise<Result> {
      const { credential, address } = identityOf(c);
      return await quota(owners.has(credential) ? credential : address, work);
    },

    /**
     * Identifies the caller, then serves the request. While a request waits, the server neither queries the database
     * nor reads the body, and a new connection may replace the request's connection. Otherwise, one credential's
     * requests could use up all connections.
     *
     * @throws 503 if too many requests are waiting.
     */
    async serve<Caller extends { owner: string }, Result>(
      c: Context,
      identify: () => Promise<Caller>,
      respond: (caller: Caller) => Promise<Result>,
    ): Promise<Result> {
      const { credential, address } = identityOf(c);
      const socket = incomingOf(c)?.socket;
      if (socket) giveWay(socket);
      const withinQuota = (work: () => Promise<Result>) =>
        quota(credential, async () => {
          holdPlace(socket);
          return await work();
        });
      if (owners.has(credential)) return await withinQuota(async () => await respond(await identify()));
      // Identify the caller within the quota of the address, but read the body outside this quota. Otherwise, other
      // clients at this address would wait while the body arrives.
      const caller = await quota(address, identify);
      remember(credential, caller.owner);
      return await withinQuota(() => respond(caller));
    },
  };
}
