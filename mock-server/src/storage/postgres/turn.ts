import pg from 'pg';
import { StorageUnavailableError } from '../port.ts';
import { connectionOptions } from './pool.ts';
import { isUnavailable } from './trouble.ts';

/** What one node of a fleet does at a time, held until it is disposed of. */
export interface Turn extends AsyncDisposable {
  /** @throws {@link StorageUnavailableError} once the turn is lost: another node may have it. */
  check(): void;
}

/** Named by chance; every node uses the same. */
const TURN_LOCK = '4082217365190773';
/**
 * A node that stopped in the middle of its turn loses it after this time, though its connection stands: the database
 * ends sessions from which nothing comes.
 */
const SILENCE_MAX_MS = 15_000;
const SIGN_OF_LIFE_INTERVAL_MS = 3_000;

/**
 * Waits until no other node has its turn, for as long as that takes. The turn is a session's advisory lock over a
 * connection of its own: no transaction is open meanwhile, and with the node's process its turn ends. It needs a
 * connection that stays the same; a pooler must pool sessions, not transactions.
 *
 * @throws {@link StorageUnavailableError} where the database is away.
 */
export async function takeTurn(url: string): Promise<Turn> {
  const client = new pg.Client({
    ...connectionOptions(url),
    options: `-c idle_session_timeout=${SILENCE_MAX_MS}`,
  });
  let lost: unknown;
  const lose = (error?: Error) => {
    lost ??= error ?? new Error('The connection was closed.');
  };
  client.on('error', lose).on('end', () => lose());
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [TURN_LOCK]);
  } catch (error) {
    client.end().catch(() => {});
    throw isUnavailable(error) ? unavailable(error) : error;
  }
  const alive = setInterval(() => client.query('select 1').catch(lose), SIGN_OF_LIFE_INTERVAL_MS);
  return {
    check() {
      if (lost !== undefined) throw unavailable(lost);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(alive);
      // With its session the lock is gone. Where the connection is broken, the database has ended the session.
      await client.end().catch(() => {});
    },
  };
}

function unavailable(cause: unknown): StorageUnavailableError {
  return new StorageUnavailableError(`The turn among the servers cannot be had: ${(cause as Error).message}`, {
    cause,
    outcome: 'unknown',
  });
}
