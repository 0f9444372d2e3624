import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { createSecret } from '../src/domain/derive-secret.ts';
import { MasterKey } from '../src/domain/master-key.ts';
import { migrateToLatest } from '../src/storage/migrate.ts';
import type { Queries } from '../src/storage/port.ts';
import type { Database } from '../src/storage/schema/database.ts';
import { connectWithoutFlush } from '../src/storage/sqlite/connection.ts';
import { createSqliteDialect, handOn } from '../src/storage/sqlite/dialect.ts';
import { createStatements, runStatement } from '../src/storage/sqlite/statements.ts';
import { wipe } from '../src/storage/wipe.ts';

export const masterKey = MasterKey.random();

/** A change of the database that the checks use. */
export interface Change {
  kind: 'accepted' | 'ended' | 'switched' | 'replaced';
  id: string;
  endpoint_id: string;
  /** For `ended`, the status of the delivery. For `switched`, whether the endpoint is active after the change. */
  after: string | number | null;
  /** Whether the endpoint was active at the time of the change. Null if the endpoint was deleted. */
  active: number | null;
}

/** The simulated database. A process has only one, and each run empties it at its end. */
export interface SimulatedDatabase {
  connection: DatabaseSync;
  /** Runs statements without a simulated delay. */
  queries: Queries;
  run(sql: string, parameters: readonly unknown[]): ReturnType<typeof runStatement>;
  empty(): Promise<void>;
  /** Copies everything, as an asynchronous standby does. The returned function restores the copy. */
  copy(): () => void;
  all<Row>(sql: string, ...parameters: (string | number)[]): Row[];
}

type Row = Record<string, string | number | null>;

/** The tables that a run changes. Each table comes after the tables that it refers to. */
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

/** Triggers record the changes of the engine, in the order of its transactions. */
const HISTORY = `
  create temp table switch (is_on integer);
  insert into temp.switch values (1);
  create temp table history (kind text, id text, endpoint_id text, after, active integer);
  create temp trigger accepted after insert on main.deliveries when (select is_on from temp.switch) begin
    insert into history values ('accepted', new.id, new.endpoint_id, null, null);
  end;
  create temp trigger ended after insert on main.delivery_ends when (select is_on from temp.switch) begin
    insert into history values ('ended', new.delivery_id, new.endpoint_id, new.status,
      (select active from main.webhook_endpoints where id = new.endpoint_id));
  end;
  create temp trigger switched after update of active on main.webhook_endpoints when old.active <> new.active and (select is_on from temp.switch) begin
    insert into history values ('switched', null, new.id, new.active, new.active);
  end;
  create temp trigger replaced after delete on main.workspaces begin
    insert into history values ('replaced', old.id, null, null, null);
  end;`;

export async function openSimulatedDatabase(): Promise<SimulatedDatabase> {
  const connection = connectWithoutFlush(':memory:');
  await migrateToLatest(new Kysely<Database>({ dialect: createSqliteDialect(connection) }));
  connection.exec(HISTORY);
  const statements = createStatements(connection);
  const run = (sql: string, parameters: readonly unknown[]) => runStatement(statements, sql, parameters);
  const queries = handOn(async ({ sql, parameters }) => {
    const { rows, changes } = run(sql, parameters);
    return { rows, numAffectedRows: BigInt(changes) };
  });
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

/** The maximum number of endpoints of a run. */
export const ENDPOINTS_MAX = 4;

/** Deriving a secret is slow, so all runs use the same secrets. */
export const SECRETS = Array.from(
  { length: ENDPOINTS_MAX },
  (_, index) => createSecret(masterKey, `whs_${index}`).stored,
);
