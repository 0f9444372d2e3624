import { expect, test } from 'vitest';
import { timeOfId } from '../../src/domain/id-time.ts';
import { acceptOne, listFirstDay, SEED_WITH_LATER_ID } from '../support/later-id.ts';
import { startFleet } from './support/fleet.ts';

test('After a reset with an id from a later time, all nodes generate later ids, and lists by creation time show every delivery', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  expect((await first.call('POST', '/_control/reset', { body: { seed: SEED_WITH_LATER_ID } })).status).toBe(200);
  const accepted: string[] = [];
  for (const node of [second, first, second, first]) accepted.push(await acceptOne(node));
  expect((await listFirstDay(first)).sort()).toEqual(accepted.sort());
  expect(Math.min(...accepted.map(timeOfId))).toBeGreaterThan(timeOfId('01KAZ5Q2B3C4D5E6F7G8H9J0K1'));
});
