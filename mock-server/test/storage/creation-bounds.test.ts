import { expect, test } from 'vitest';
import { lowestIdAt } from '../../src/domain/id-time.ts';
import { listDeliveries } from '../../src/storage/statements/list-deliveries.ts';
import { openTestStorage } from '../database.ts';

const CREATED_AT = Date.UTC(2031, 2, 1, 12);

test.each([-3, -1, 0, 1, 3])(
  'a delivery whose id was drawn %i ms after its creation is found by its creation alone',
  async (ms) => {
    await using storage = await openTestStorage();
    const id = lowestIdAt('webhookDelivery', CREATED_AT + ms);
    await storage.write((queries) =>
      queries
        .insertInto('deliveries')
        .values({
          id,
          workspace_id: 'wsp_bounds',
          endpoint_id: 'whe_bounds',
          event_id: 'evt_bounds',
          payload_event_id: 'evt_bounds',
          event_type: 'lifecycle.evaluated',
          status: 'success',
          attempt: 1,
          created_at: CREATED_AT,
          delivered_at: CREATED_AT,
          next_attempt_at: null,
          error: null,
          response_status: 204,
          response_time_ms: 1,
        })
        .execute(),
    );
    const within = async (from: number, to: number) => {
      const filter = { createdFrom: new Date(from).toISOString(), createdTo: new Date(to).toISOString() };
      const bound = { side: 'after', key: undefined, inclusive: false } as const;
      return (await storage.read((queries) => listDeliveries(queries, 'wsp_bounds', filter, bound, 20))).map(
        (row) => row.id,
      );
    };
    expect(await within(CREATED_AT, CREATED_AT)).toEqual([id]);
    expect(await within(CREATED_AT + 1, CREATED_AT + 9)).toEqual([]);
    expect(await within(CREATED_AT - 9, CREATED_AT - 1)).toEqual([]);
  },
);
