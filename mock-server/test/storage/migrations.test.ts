import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { indexedWords } from '../../src/domain/search.ts';
import { migrateToLatest } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import type { Queries } from '../../src/storage/port.ts';
import { createPostgresDialect } from '../../src/storage/postgres/dialect.ts';
import { createStartPool } from '../../src/storage/postgres/pool.ts';
import type { Database } from '../../src/storage/schema/database.ts';
import { createSqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { listDeliveries } from '../../src/storage/statements/list-deliveries.ts';
import { searchProfiles } from '../../src/storage/statements/profiles/search-profiles.ts';
import { createTestDatabase, onPostgres } from '../database.ts';

/** A database without a schema. */
async function openBare(): Promise<Queries & AsyncDisposable> {
  if (!onPostgres) return new Kysely<Database>({ dialect: createSqliteDialect(new DatabaseSync(':memory:')) });
  const { url } = await createTestDatabase();
  const queries = new Kysely<Database>({ dialect: createPostgresDialect(createStartPool(url)) });
  await sql`drop schema public cascade`.execute(queries);
  await sql`create schema public`.execute(queries);
  return queries;
}

async function migrate(db: Queries, to?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error) throw error;
}

const TABLES = ['deliveries', 'delivery_attempts', 'delivery_queue', 'delivery_statuses'] as const;

const ids = ['whd_1', 'whd_2', 'whd_3'];

const rows = {
  deliveries: ids.map((id) => ({
    id,
    workspace_id: 'wsp_1',
    endpoint_id: `whe_${id}`,
    event_id: 'evt_1',
    payload_event_id: 'evt_1',
    event_type: 'workspace.updated',
    status: 'pending',
    attempt: 1,
    created_at: 1,
    next_attempt_at: 2,
  })),
  delivery_attempts: ids.map((id, index) => ({
    id: `${9 - index}`,
    delivery_id: id,
    number: 1,
    url: 'https://receiver.test/',
    started_at: 1,
    ended_at: 2,
    request_headers: '{"webhook-id":"x"}',
    response_status: 500,
    response_headers: '{}',
    response_body: 'no ☃',
    response_time_ms: 1,
    error: 'HTTP 500',
    late: 0,
  })),
  delivery_queue: ids.map((id, index) => ({
    delivery_id: id,
    endpoint_id: `whe_${id}`,
    retry: index % 2,
    due_at: index,
  })),
  delivery_statuses: ids.map((id) => ({
    workspace_id: 'wsp_1',
    endpoint_id: `whe_${id}`,
    status: 'pending',
    delivery_id: id,
  })),
};

const fill = (db: Queries, table: (typeof TABLES)[number]) => db.insertInto(table).values(rows[table]).execute();

/** PostgreSQL quotes and sorts the words. */
const sortedWords = (words: string) => words.replaceAll("'", '').split(' ').sort();

const all = async (db: Queries, table: (typeof TABLES)[number]) =>
  await db
    .selectFrom(table)
    .selectAll()
    .orderBy(table === 'deliveries' ? 'id' : 'delivery_id')
    .execute();

describe('Migrations', () => {
  it('do not run if a newer version of the server has already run more', async () => {
    await using db = await openBare();
    await migrateToLatest(db);
    const newer = { name: '9999-newer', timestamp: '2031-03-01' };
    await sql`insert into kysely_migration (name, timestamp) values (${newer.name}, ${newer.timestamp})`.execute(db);

    await expect(migrateToLatest(db)).rejects.toThrow(
      `a newer version of the server has migrated the database to 9999-newer, and this one knows it up to ${Object.keys(migrations).at(-1)}; start the newer version`,
    );
    await sql`delete from kysely_migration where name = ${newer.name}`.execute(db);
    await migrateToLatest(db);
  });

  it('run all or none: one that fails leaves the database unchanged', async () => {
    await using db = await openBare();
    const failing = { up: () => Promise.reject(new Error('a process that is killed stops here')) };
    const getMigrations = async () => ({ ...migrations, '9999-failing': failing });
    const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
    expect(error).toEqual(new Error('a process that is killed stops here'));

    await migrateToLatest(db);

    expect(await all(db, 'deliveries')).toEqual([]);
  });

  it('0006 keeps every row of the tables that it rebuilds', async () => {
    await using db = await openBare();
    await migrate(db, '0005-event-trace');
    for (const table of TABLES) await fill(db, table);
    const before = await Promise.all(TABLES.map((table) => all(db, table)));

    await migrate(db, '0006-keys-of-use');

    expect(before.map(({ length }) => length)).toEqual(TABLES.map(() => ids.length));
    expect(await Promise.all(TABLES.map((table) => all(db, table)))).toEqual(before);
  });

  it('0007 lists pending deliveries from the queue alone, and ended ones under their status', async () => {
    await using db = await openBare();
    await migrate(db, '0006-keys-of-use');
    const [ended = '', ...pending] = ids;
    for (const table of TABLES) await fill(db, table);
    await db.deleteFrom('delivery_queue').where('delivery_id', '=', ended).execute();
    await db.updateTable('delivery_statuses').set({ status: 'failed' }).where('delivery_id', '=', ended).execute();

    await migrate(db);

    const listed = async (status: 'pending' | 'failed') =>
      (await listDeliveries(db, 'wsp_1', { status }, { side: 'after', key: undefined, inclusive: false }, 9)).map(
        ({ id }) => id,
      );
    expect(await listed('pending')).toEqual(pending.toReversed());
    expect(await listed('failed')).toEqual([ended]);
  });

  it('0007 keeps a place in the queue whose delivery is gone', async () => {
    await using db = await openBare();
    await migrate(db, '0006-keys-of-use');
    await fill(db, 'delivery_queue');

    await migrate(db);

    expect(await all(db, 'delivery_queue')).toEqual(
      rows.delivery_queue.map((place) => ({ ...place, workspace_id: '' })),
    );
  });

  it('0013 tags the words of profiles like an import does, and a search finds them', async () => {
    await using db = await openBare();
    await migrate(db, '0011-snapshots');
    const workspaces = ['wsp_01ABCDEFGH', 'wsp_x'];
    for (const workspace of workspaces) {
      const own = workspace.slice(4).toLowerCase();
      await sql`insert into profiles (id, workspace_id, external_id, first_seen_at, active_days, name, created_at,
        updated_at, words, attributes) values (${`prf_${own}`}, ${workspace}, 'u-1', 0, '', 'Ada', 0, 0,
        ${`¦${own} ¤ada ada ¤u¤1 u 1`}, '{}'), (${`prf_${own}0`}, ${workspace}, '!', 0, '', null, 0, 0, ${`¦${own}`}, '{}')`.execute(
        db,
      );
    }

    await migrate(db);

    for (const workspaceId of workspaces) {
      const rows = await db
        .selectFrom('profiles')
        .select('words')
        .where('workspace_id', '=', workspaceId)
        .orderBy('id');
      expect((await rows.execute()).map(({ words }) => sortedWords(words))).toEqual([
        sortedWords(indexedWords(workspaceId, ['Ada', null, 'u-1'])),
        sortedWords(indexedWords(workspaceId, [null, null, '!'])),
      ]);
      const search = { workspaceId, words: ['ad'], match: 'prefixes' } as const;
      const found = await searchProfiles(db, search, { side: 'after', key: undefined, inclusive: false }, 9);
      expect(found.map(({ name }) => name)).toEqual(['Ada']);
    }
  });

  it('0014 uses the latest change of a disabled endpoint as the time it was disabled', async () => {
    await using db = await openBare();
    await migrate(db, '0013-tagged-words');
    await sql`insert into organizations (id, slug, name, created_at) values ('org_1', 'o', 'O', 1)`.execute(db);
    await sql`insert into workspaces (id, organization_id, slug, name, created_at, updated_at)
      values ('wsp_1', 'org_1', 'w', 'W', 1, 1)`.execute(db);
    for (const [id, active, failures] of [
      ['whe_disabled', 0, 5],
      ['whe_paused', 0, 0],
      ['whe_failing', 1, 4],
    ] as const) {
      await sql`insert into webhook_endpoints (id, workspace_id, url, subscribed_events, active, api_version,
        consecutive_failures, created_at, updated_at) values (${id}, 'wsp_1', 'https://r.test/', '[]', ${active}, 'v1',
        ${failures}, 1, 7)`.execute(db);
    }

    await migrate(db);

    const rows = await db.selectFrom('webhook_endpoints').select(['id', 'disabled_at']).orderBy('id').execute();
    expect(rows.map(({ id, disabled_at }) => [id, disabled_at])).toEqual([
      ['whe_disabled', 7],
      ['whe_failing', null],
      ['whe_paused', null],
    ]);
  });

  it('0015 frees every lane, and each keeps its turn', async () => {
    await using db = await openBare();
    await migrate(db, '0014-disabled-at');
    await sql`insert into delivery_lanes (endpoint_id, head_due_at, turn_at, lease_token, lease_until, holder)
      values ('whe_free', 3, 2, 1, null, null), ('whe_held', 5, 4, 7, 9000000000000000, 'node')`.execute(db);

    await migrate(db);

    const lanes = await db.selectFrom('delivery_lanes').selectAll().orderBy('endpoint_id').execute();
    expect(lanes).toEqual([
      { endpoint_id: 'whe_free', head_due_at: 3, turn_at: 2, node: null },
      { endpoint_id: 'whe_held', head_due_at: 5, turn_at: 4, node: null },
    ]);
  });
});
