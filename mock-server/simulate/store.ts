import type { CompiledQuery } from 'kysely';
import { type Queries, type Storage, StorageUnavailableError } from '../src/storage/port.ts';
import { handOn } from '../src/storage/sqlite/dialect.ts';
import type { SimulatedDatabase } from './database.ts';
import type { FaultKind } from './faults.ts';
import type { Random } from './random.ts';
import type { Owner, Scheduler } from './scheduler.ts';

export interface Connection {
  /** The name of the node. */
  name: string;
  database: SimulatedDatabase;
  scheduler: Scheduler;
  random: Random;
  owner: Owner;
  has(fault: FaultKind): boolean;
  isCutOff(): boolean;
  trace(text: string): void;
}

/**
 * Creates a node's storage. Each request and each reply takes a random time. Other nodes may write between the
 * statements of a read. A transaction runs as a whole, as if all transactions were serializable.
 */
export function connectTo({ name, database, scheduler, random, owner, has, isCutOff, trace }: Connection): Storage {
  const travelMs = () => {
    if (has('slow database') && random.chance(0.02)) return random.integer(4_000);
    return random.chance(0.8) ? random.fraction() * 2 : random.integer(40);
  };

  /**
   * @param isSent - Whether the node sends the whole request at once. If so, the database handles the request even if
   *   the node dies or freezes before the request arrives.
   */
  function ask<Result>(isSent: boolean, act: () => Promise<Result>, writes: boolean): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const reply = (settle: () => void) => scheduler.after(travelMs(), owner, settle);
    const fail = (outcome: 'unchanged' | 'unknown') => {
      trace(writes ? `write fails: ${outcome}` : 'read fails');
      reply(() => reject(new StorageUnavailableError('The simulated connection is lost.', { outcome })));
    };
    scheduler.after(travelMs(), isSent ? undefined : owner, async () => {
      if (isCutOff()) return fail('unchanged');
      if (writes && has('refused commits') && random.chance(0.01)) return fail('unchanged');
      try {
        const result = await act();
        if (isCutOff() || (writes && has('lost replies') && random.chance(0.02))) return fail('unknown');
        reply(() => resolve(result));
      } catch (error) {
        reply(() => reject(error));
      }
    });
    return promise;
  }

  const run = (statement: CompiledQuery) => database.queries.executeQuery(statement);
  const reading = handOn((statement) => ask(true, () => run(statement), false));

  return {
    read: (work) => work(reading),
    write: (work) => ask(false, () => inTransaction(database, work, name), true),
    async writeAtOnce(statementsFor) {
      const runAll = async () => {
        const rows: unknown[] = [];
        for (const statement of statementsFor('sqlite')) rows.push(...(await run(statement)).rows);
        return rows;
      };
      return ask(true, () => inTransaction(database, runAll, name), true);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Runs a transaction without a simulated delay.
 *
 * @param writer - The name of the node that writes, if any.
 */
export async function inTransaction<Result>(
  { connection, queries, run }: SimulatedDatabase,
  work: (queries: Queries) => Promise<Result>,
  writer: string | null = null,
): Promise<Result> {
  connection.exec('begin');
  try {
    run('update temp.writer set name = ?', [writer]);
    const result = await work(queries);
    connection.exec('commit');
    return result;
  } catch (error) {
    connection.exec('rollback');
    throw error;
  }
}
