import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { gather } from '../hand-on.ts';
import type { Storage } from '../port.ts';
import { sendChain } from './chain.ts';
import { storedStatement } from './dialect.ts';
import type { TransactionOptions } from './transaction.ts';
import { isConflict, isSpent, isUnavailable, unavailable } from './trouble.ts';

/** A connection with answers outstanding. */
interface Line {
  client: Promise<pg.PoolClient>;
  users: number;
  /** Whether nothing more may be sent over it. */
  isBroken: boolean;
}

/** The SQLSTATE that `refusing` produces if the guard returns a row. */
const DIVISION_BY_ZERO = '22012';

/** A statement that fails if the guard returns a row. The transaction then fails too. */
const refusing = (guard: string) => `select 1 / (case when count(*) = 0 then 1 else 0 end) from (${guard}) as refusal`;

/**
 * Sends transactions whole, from begin to commit, one after the other over one connection. The database starts the next
 * one as soon as one ends and does not wait for its answer to arrive.
 */
export function createGuardedWrites(
  pool: pg.Pool,
  { prepares, opening }: TransactionOptions,
): Pick<Storage, 'writeIf'> {
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

  /** @throws the error of the first statement that failed. */
  async function send(client: pg.PoolClient, guards: readonly CompiledQuery[], statements: readonly CompiledQuery[]) {
    const [sent, committed] = await Promise.allSettled([
      sendChain(client, [
        ...opening.map((statement) => storedStatement(statement, [], prepares)),
        ...guards.map(({ sql, parameters }) => storedStatement(refusing(sql), parameters, prepares)),
        ...statements.map(({ sql, parameters }) => storedStatement(sql, parameters, prepares)),
      ]),
      // Rolls back if a statement failed.
      client.query('commit'),
    ]);
    for (const result of [sent, committed]) if (result.status === 'rejected') throw result.reason;
  }

  return {
    async writeIf(guard, work) {
      const [guards, statements] = [await gather('postgres', guard), await gather('postgres', work)];
      const line = join();
      let isSent = false;
      try {
        const client = await line.client;
        isSent = true;
        await send(client, guards, statements);
        return true;
      } catch (error) {
        line.isBroken ||= isSpent(error);
        if ((error as { code?: unknown }).code === DIVISION_BY_ZERO || isConflict(error)) return false;
        throw isUnavailable(error) ? unavailable(error, isSent ? 'unknown' : 'unchanged') : error;
      } finally {
        leave(line);
      }
    },
  };
}
