import { expect, test } from 'vitest';
import { createSecret } from '../../src/domain/derive-secret.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { loadTargets } from '../../src/storage/statements/endpoints.ts';
import { addEndpoint, createWorld, START } from '../support/delivery/world.ts';

test('the current secret signs first, then the replaced ones, the most recent one before the others', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using storage = world.storage;
  const endpoint = await addEndpoint(world, 'https://receiver.test/hook');
  const previous: string[] = [];
  for (const expires_at of [START + 2, START + 3, START + 1, START]) {
    const { stored } = createSecret(world.masterKey, world.ids.next('webhookSecret'));
    previous.push(stored.id);
    await storage.write((queries) =>
      queries
        .insertInto('webhook_secrets')
        .values({ ...stored, endpoint_id: endpoint.id, created_at: START, expires_at })
        .execute(),
    );
  }
  const targets = await storage.read((queries) => loadTargets(queries, [endpoint.id], START));
  const [present, ...others] = targets.get(endpoint.id)?.secrets.map(({ id }) => id) ?? [];
  expect(previous).not.toContain(present);
  expect(others).toEqual([previous[1], previous[0], previous[2]]);
});
