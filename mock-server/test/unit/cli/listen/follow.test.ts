import { expect, test } from 'vitest';
import { createFollower } from '../../../../src/cli/listen/follow.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const deliveryOf = (id: string) => ({ id, endpointId: 'whe_1', attempt: 1, status: 'success' });

/** A follower of a workspace in which one delivery comes after the start. */
async function startFollower(delivery = deliveryOf('whd_1'), earlier: object[] = []) {
  let data = earlier;
  const deliveries = {
    list: () =>
      Object.assign(Promise.resolve({ data }), {
        async *pages() {
          yield { data };
        },
      }),
    retrieve: async () => delivery,
  };
  const look = await createFollower({ webhooks: { deliveries } } as never);
  expect(await all(look())).toEqual([]);
  data = [delivery, ...earlier];
  return look;
}

test('A delivery is yielded once', async () => {
  const look = await startFollower();
  expect(await all(look())).toHaveLength(1);
  expect(await all(look())).toEqual([]);
});

test('A delivery is yielded again if the caller has failed to handle it', async () => {
  const look = await startFollower();
  const handle = async () => {
    for await (const _delivery of look()) throw new Error('The service is busy.');
  };
  await expect(handle()).rejects.toThrow('busy');
  expect(await all(look())).toHaveLength(1);
});

test('A delivery that was there at the start is not yielded', async () => {
  const look = await startFollower(deliveryOf('whd_2'), [deliveryOf('whd_1')]);
  expect(await all(look())).toMatchObject([{ id: 'whd_2' }]);
});
