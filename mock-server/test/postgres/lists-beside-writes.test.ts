import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { type Bound, keysetPage } from '../../src/storage/keyset.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { listEvents } from '../../src/storage/statements/events.ts';
import { createTestDatabase } from '../support/database.ts';

// On SQLite, the statements of a read do not see what is stored in the meantime.
test.each([100, 5])(
  'a list of events with at most %i on a page keeps its oldest events beside writes',
  async (limit) => {
    await using database = await createTestDatabase();
    await using storage = connectPostgres(database.url, 'api');
    const stored: string[] = [];
    async function storeOne(): Promise<void> {
      const id = `evt_${String(stored.length).padStart(26, '0')}`;
      const row = { id, workspace_id: 'wsp_1', type: 'any', subject_type: null, subject_id: null, traceparent: null };
      await storage.write((queries) =>
        queries
          .insertInto('events')
          .values({ ...row, body: '{}', created_at: 0 })
          .execute(),
      );
      stored.unshift(id);
    }
    for (let count = 0; count < 8; count++) await storeOne();
    const all = [...stored];
    /** Stores an event after each statement of the list. */
    const beside: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await storeOne();
        return result;
      },
    };
    const select = (bound: Bound, rowsMax: number) =>
      storage.read((queries) => listEvents(queries.withPlugin(beside), { workspaceId: 'wsp_1' }, bound, rowsMax));
    const listed: string[] = [];
    let page = await keysetPage(select, ({ id }) => id, undefined, limit);
    for (;;) {
      listed.push(...page.rows.map(({ id }) => id));
      if (!page.next) break;
      page = await keysetPage(select, ({ id }) => id, page.next, limit);
    }
    expect(listed).toEqual(all);
    expect(stored.length).toBeGreaterThan(all.length);
  },
);
