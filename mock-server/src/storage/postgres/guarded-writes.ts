import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { gather } from '../hand-on.ts';
import type { Storage } from '../port.ts';
import { storingText } from './dialect.ts';
import { isConflict, isSpent, isUnavailable, unavailable } from './trouble.ts';

/** A connection while somebody has an answer to come over it. */
interface Line {
  client: Promise<pg.PoolClient>;
  users: number;
  /** Whether nothing more may be sent over it. */
  isBroken: boolean;
}

/** SQLSTATE of what `refusing` makes of a guard's row. */
const DIVISION_BY_ZERO = '22012';

/**
 * SQLSTATE of a prepared statement that the database does not have: the transaction that was to prepare it had failed
 * before, while this one was on its way already.
 */
const NOT_PREPARED = '26000';

/** A statement that fails where the guard gives a row, and with it the transaction. */
const refusing = (guard: string) => `select 1 / (case when count(*) = 0 then 1 else 0 end) from (${guard}) as refusal`;

/**
 * Transactions that are sent whole, from their beginning to their commit, one behind another over one connection: the
 * database is at the next as soon as one is over, wherever its answer is by then.
 */
export function createGuardedWrites(pool: pg.Pool, prepares: boolean): Pick<Storage, 'writeIf'> {
  let shared: Line | undefined;

  function join(): Line {
    shared ??= { client: pool.connect(), users: 0, isBroken: false };
    shared.users++;
    return shared;
  }

  function leave(line: Line): void {
    line.users--;
    if (shared === line && (line.isBroken || line.users === 0)) shared = undefined;
    if (line.users > 0) return;
    line.client.then(
      (client) => client.release(line.isBroken),
      () => {},
    );
  }

  /** @throws what the first statement threw that failed by itself. */
  async function send(client: pg.PoolClient, guards: readonly CompiledQuery[], statements: readonly CompiledQuery[]) {
    const connection = storingText(client, prepares);
    const settled = await Promise.allSettled([
      client.query('begin isolation level read committed'),
      ...guards.map(({ sql, parameters }) => connection.query(refusing(sql), parameters)),
      ...statements.map(({ sql, parameters }) => connection.query(sql, parameters)),
      client.query('commit'),
    ]);
    for (const { reason } of settled.filter((result) => result.status === 'rejected')) throw reason;
  }

  return {
    async writeIf(guard, work) {
      const [guards, statements] = [await gather('postgres', guard), await gather('postgres', work)];
      const line = join();
      let isSent = false;
      try {
        const client = await line.client;
        isSent = true;
        await send(client, guards, statements).catch((error: unknown) => {
          if (codeOf(error) !== NOT_PREPARED) throw error;
          return send(client, guards, statements);
        });
        return true;
      } catch (error) {
        line.isBroken ||= isSpent(error);
        if (codeOf(error) === DIVISION_BY_ZERO || isConflict(error)) return false;
        throw isUnavailable(error) ? unavailable(error, isSent ? 'unknown' : 'unchanged') : error;
      } finally {
        leave(line);
      }
    },
  };
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code;
