import pg from 'pg';
import { StorageUnavailableError } from '../port.ts';
import { endConnection } from './end-connection.ts';
import { connectionOptions } from './pool.ts';
import { isUnavailable, reasonOf } from './trouble.ts';

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
/** Who hears nothing for so long has lost its turn, before another can have it, or its place among those that wait. */
const UNHEARD_MAX_MS = 9_000;
/** For so long the lock is waited for at a time, so that a connection is not silent while somebody else has it. */
const LOCK_WAIT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

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
    query_timeout: UNHEARD_MAX_MS,
  });
  let lost: unknown;
  const lose = (error?: Error) => {
    lost ??= error ?? new Error('The connection was closed.');
  };
  client.on('error', lose).on('end', () => lose());
  try {
    await client.connect();
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    while (!(await lockWithin(client)));
  } catch (error) {
    void endConnection(client);
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
      await endConnection(client);
    },
  };
}

/** Whether the lock came free in time. */
async function lockWithin(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock($1)', [TURN_LOCK]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

function unavailable(cause: unknown): StorageUnavailableError {
  return new StorageUnavailableError(`The turn among the servers cannot be had: ${reasonOf(cause)}`, {
    cause,
    outcome: 'unknown',
  });
}
