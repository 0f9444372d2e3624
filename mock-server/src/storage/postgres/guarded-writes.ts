import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { gather } from '../hand-on.ts';
import type { Storage } from '../port.ts';
import { sendChain } from './chain.ts';
import { storedStatement } from './dialect.ts';
import type { TransactionOptions } from './transaction.ts';
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

/** A statement that fails where the guard gives a row, and with it the transaction. */
const refusing = (guard: string) => `select 1 / (case when count(*) = 0 then 1 else 0 end) from (${guard}) as refusal`;

/**
 * Transactions that are sent whole, from their beginning to their commit, one behind another over one connection: the
 * database is at the next as soon as one is over, wherever its answer is by then.
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

  /** @throws what the first statement threw that failed. */
  async function send(client: pg.PoolClient, guards: readonly CompiledQuery[], statements: readonly CompiledQuery[]) {
    const [sent, committed] = await Promise.allSettled([
      sendChain(client, [
        ...opening.map((statement) => storedStatement(statement, [], prepares)),
        ...guards.map(({ sql, parameters }) => storedStatement(refusing(sql), parameters, prepares)),
        ...statements.map(({ sql, parameters }) => storedStatement(sql, parameters, prepares)),
      ]),
      // Rolls back where one of them failed.
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
