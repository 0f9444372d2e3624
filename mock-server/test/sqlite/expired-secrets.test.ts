import { expect, test } from 'vitest';
import { createSecret } from '../../src/domain/derive-secret.ts';
import { insertSecret } from '../../src/storage/changes/endpoints.ts';
import { addEndpoint, createWorld, START } from '../support/delivery/world.ts';

const DAY = 86_400_000;

test('a rotation removes secrets that no longer sign, to the millisecond', async () => {
  const world = await createWorld();
  await using storage = world.storage;
  const { id } = await addEndpoint(world, 'https://receiver.test/');
  const rotate = async (now: number) => {
    const { stored } = createSecret(world.masterKey, world.ids.next('webhookSecret'));
    await storage.write((queries) => insertSecret(queries, id, stored, { now, previousExpiresAt: now + DAY }));
    return await storage.read(
      async (queries) => (await queries.selectFrom('webhook_secrets').select('id').execute()).length,
    );
  };
  expect(await rotate(START)).toBe(2);
  expect(await rotate(START + DAY - 1)).toBe(3);
  expect(await rotate(START + DAY)).toBe(3);
});
