import type { DatabaseSync } from 'node:sqlite';
import { createSecret } from '../src/domain/derive-secret.ts';
import { MasterKey } from '../src/domain/master-key.ts';
import { migrateToLatest } from '../src/storage/migrate.ts';
import type { Queries } from '../src/storage/port.ts';
import { connectWithoutFlush } from '../src/storage/sqlite/connection.ts';
import { handOn, queriesOver } from '../src/storage/sqlite/dialect.ts';
import { createStatements, type RunStatement } from '../src/storage/sqlite/statements.ts';
import { wipe } from '../src/storage/wipe.ts';
import { HISTORY } from './history.ts';

export const masterKey = MasterKey.random();

/** A process has only one simulated database. Each run empties the database. */
export interface SimulatedDatabase {
  connection: DatabaseSync;
  /** Runs statements without a simulated delay. */
  queries: Queries;
  run: RunStatement;
  empty(): Promise<void>;
  /** Copies all data, as an asynchronous standby does. The returned function restores the copy. */
  copy(): () => void;
  all<Row>(sql: string, ...parameters: (string | number)[]): Row[];
}

type Row = Record<string, string | number | null>;

/** Each table comes after the tables that it refers to. */
const COPIED = [
  'webhook_endpoints',
  'webhook_secrets',
  'events',
  'deliveries',
  'delivery_ends',
  'delivery_attempts',
  'delivery_nodes',
  'delivery_lanes',
  'delivery_queue',
  'temp.history',
];

export async function openSimulatedDatabase(): Promise<SimulatedDatabase> {
  const connection = connectWithoutFlush(':memory:');
  await migrateToLatest(queriesOver(connection));
  connection.exec(HISTORY);
  const run = createStatements(connection);
  const queries = handOn(async ({ sql, parameters }) => run(sql, parameters));
  return {
    connection,
    queries,
    run,
    copy() {
      const tables = COPIED.map((table) => ({ table, rows: run(`select * from ${table}`, []).rows as Row[] }));
      return () => {
        connection.exec('begin; pragma defer_foreign_keys = on; update temp.switch set is_on = 0');
        for (const { table } of tables.toReversed()) run(`delete from ${table}`, []);
        for (const { table, rows } of tables) {
          for (const row of rows) {
            const columns = Object.keys(row);
            run(
              `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
              Object.values(row),
            );
          }
        }
        connection.exec('update temp.switch set is_on = 1; commit');
      };
    },
    async empty() {
      await wipe(queries);
      connection.exec('delete from temp.history');
    },
    all: <Row>(sql: string, ...parameters: (string | number)[]) => run(sql, parameters).rows as Row[],
  };
}

export const ENDPOINTS_MAX = 4;

const ROTATIONS_MAX = 12;

/** Deriving a secret is slow, so all runs use the same secrets. */
export const SECRETS = Array.from(
  { length: ENDPOINTS_MAX + ROTATIONS_MAX },
  (_, index) => createSecret(masterKey, `whs_${index}`).stored,
);
