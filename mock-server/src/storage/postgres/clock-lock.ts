import { sql } from 'kysely';
import pg from 'pg';
import type { ClockState } from '../../domain/clock-state.ts';
import { type FailedOutcome, type Queries, StorageUnavailableError } from '../port.ts';
import { connectionOptions, endConnection } from './connections.ts';
import { isUnavailable, reasonOf } from './trouble.ts';

/** The key of the advisory lock: a random number that all nodes use. */
const CLOCK_LOCK = 4082217365190773n;
/** The database ends a session that is silent for this long, so a node that freezes loses the lock. */
const SILENCE_MAX_MS = 15_000;
const SIGN_OF_LIFE_INTERVAL_MS = 3_000;
/** The time without a response after which the node gives up the lock. Must be shorter than `SILENCE_MAX_MS`. */
const UNHEARD_MAX_MS = 9_000;
/** How long a statement waits for the lock. Shorter than `UNHEARD_MAX_MS`, because a waiting node gets no response. */
const LOCK_WAIT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Waits for the lock on the nodes' shared clock, without a time limit. Only the lock's holder may change the clock. The
 * lock belongs to the session of a separate connection, so it needs no open transaction, and ends with the process.
 *
 * @throws {@link StorageUnavailableError} if the database is unreachable.
 */
export async function lockClock(url: string) {
  const client = new pg.Client({
    ...connectionOptions(url, { settings: { idle_session_timeout: SILENCE_MAX_MS } }),
    query_timeout: UNHEARD_MAX_MS,
  });
  const lost = new AbortController();
  const lose = (error?: Error) => lost.abort(unavailable(error ?? new Error('The connection was closed.')));
  client.on('error', lose).on('end', () => lose());
  try {
    await client.connect();
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    while (!(await lockWithin(client)));
  } catch (error) {
    void endConnection(client);
    throw isUnavailable(error) ? unavailable(error, 'unchanged') : error;
  }
  let heardAt = performance.now();
  const heard = () => {
    heardAt = performance.now();
  };
  async function ask(query: () => Promise<unknown>): Promise<void> {
    lost.signal.throwIfAborted();
    try {
      await query();
      heard();
    } catch (error) {
      if (isUnavailable(error)) lose(error as Error);
      lost.signal.throwIfAborted();
      throw error;
    }
  }
  const alive = setInterval(() => client.query('select 1').then(heard, lose), SIGN_OF_LIFE_INTERVAL_MS);
  return {
    /** Aborts with a {@link StorageUnavailableError} as soon as another node could have the lock. */
    signal: lost.signal,
    /** When the database last responded in this session, on the process's monotonic clock. */
    heardAt: () => heardAt,
    /** Saves the clock in the session that holds the lock, so a node that has lost the lock saves nothing. */
    async saveClock(state: ClockState, { channel, payload }: { channel: string; payload: string }): Promise<void> {
      await ask(() =>
        client.query(
          // A step of a moving clock does not wait for the disk. The next commit that does wait also stores the step.
          `with durability as (
            select set_config('synchronous_commit', case when $4 then 'off' else 'on' end, true) as value
          ), saved as (
            insert into settings (name, value) values ('clock', $1)
            on conflict (name) do update set value = excluded.value returning name
          ) select pg_notify($2, $3), value from saved, durability`,
          [JSON.stringify(state), channel, payload, state.moving !== undefined],
        ),
      );
    },
    /** Throws {@link StorageUnavailableError} if this node has lost the lock, for example while the node was frozen. */
    async confirm(): Promise<void> {
      try {
        await ask(() => client.query('select'));
      } catch (cause) {
        throw new StorageUnavailableError('This server has lost the lock on the clock', {
          cause,
          outcome: 'unchanged',
        });
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      clearInterval(alive);
      // Closing the connection also releases the lock.
      await endConnection(client);
    },
  };
}

export async function isClockLocked(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select 1 from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${sql.lit(Number(CLOCK_LOCK >> 32n))} and objid = ${sql.lit(Number(CLOCK_LOCK & 0xffffffffn))}
    ) as taken`.execute(queries);
  return rows[0]?.taken ?? false;
}

/** @returns false if the lock does not become free in time. */
async function lockWithin(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock($1)', [String(CLOCK_LOCK)]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

function unavailable(cause: unknown, outcome: FailedOutcome = 'unknown'): StorageUnavailableError {
  const message = `Cannot take or keep the lock on the clock: ${reasonOf(cause)}`;
  return new StorageUnavailableError(message, { cause, outcome });
}
