import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cursor } from '../../src/domain/page-token.ts';
import { keysetPage } from '../../src/storage/keyset.ts';
import type { Storage } from '../../src/storage/port.ts';
import { listDeliveries } from '../../src/storage/statements/deliveries/list.ts';
import { openTestStorage } from '../support/database.ts';

const ROWS = 10_000;
const WORKSPACE = 'wsp_walk';
const idOf = (number: number) => `whd_${String(number).padStart(26, '0')}`;

/** Even numbers stay; odd ones come and go during a walk. */
async function insert(storage: Storage, numbers: readonly number[]): Promise<void> {
  const row = (number: number) => ({
    id: idOf(number),
    workspace_id: WORKSPACE,
    endpoint_id: 'whe_walk',
    event_id: 'evt_walk',
    payload_event_id: 'evt_walk',
    event_type: 'lifecycle.evaluated',
    created_at: number,
  });
  await storage.write(async (queries) => {
    for (let from = 0; from < numbers.length; from += 500) {
      const rows = numbers.slice(from, from + 500).map(row);
      await queries
        .insertInto('deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

const remove = (storage: Storage, number: number) =>
  storage.write((queries) => queries.deleteFrom('deliveries').where('id', '=', idOf(number)).execute());

const page = (storage: Storage, cursor: Cursor | undefined, limit: number) =>
  keysetPage(
    (bound, count) => storage.read((queries) => listDeliveries(queries, { workspaceId: WORKSPACE }, bound, count)),
    (row) => row.id,
    cursor,
    limit,
  );

test('a walk over 10,000 deliveries, forwards and back, yields every row that stays exactly once, in order', async () => {
  await using storage = await openTestStorage();
  const staying = Array.from({ length: ROWS }, (_, index) => 2 * index);
  await insert(storage, staying);
  const newestFirst = staying.toReversed().map(idOf);
  const step = fc.record({
    limit: fc.integer({ min: 1, max: 100 }),
    inserted: fc.array(fc.nat(ROWS - 1), { maxLength: 4 }),
    removed: fc.nat(ROWS - 1),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      let step = 0;
      const disturb = async () => {
        const { limit, inserted, removed } = steps[step++ % steps.length] as (typeof steps)[number];
        await insert(
          storage,
          inserted.map((number) => 2 * number + 1),
        );
        await remove(storage, 2 * removed + 1);
        return limit;
      };
      const walk = async (from: Cursor | undefined, way: 'next' | 'previous') => {
        const seen: string[] = [];
        let last: Cursor | undefined;
        for (let cursor: Cursor | null | undefined = from; cursor !== null; ) {
          const { rows, next, previous } = await page(storage, cursor, await disturb());
          const ids = rows.map(({ id }) => id);
          if (way === 'next') seen.push(...ids);
          else seen.unshift(...ids);
          last = cursor;
          cursor = way === 'next' ? next : previous;
        }
        return { seen, last };
      };
      const stays = (id: string) => Number(id.slice(4)) % 2 === 0;

      const forwards = await walk(undefined, 'next');
      expect(forwards.seen.filter(stays)).toEqual(newestFirst);
      expect(new Set(forwards.seen).size).toBe(forwards.seen.length);
      expect(forwards.seen).toEqual(forwards.seen.toSorted().reverse());

      const end: Cursor = { direction: 'previous', key: idOf(0), inclusive: true };
      const backwards = await walk(end, 'previous');
      expect(backwards.seen.filter(stays)).toEqual(newestFirst);
      expect(new Set(backwards.seen).size).toBe(backwards.seen.length);
    }),
    { numRuns: Number(process.env['SVC_TEST_CASES'] ?? 4) },
  );
});
