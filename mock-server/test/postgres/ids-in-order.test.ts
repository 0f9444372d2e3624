import { expect, test } from 'vitest';
import type { TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';
import { startFleet } from './support/fleet.ts';

/** Accepts an event. @returns its id. */
async function acceptOne(node: TestApi): Promise<string> {
  const body = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const accepted = await node.call('POST', '/_control/events', { body });
  return accepted.body.event.id;
}

const move = (body: object) => ['/_control/clock', body] as const;

test.each([
  ['the clock is frozen', [move({ freeze: true })]],
  ['the clock was set back', [move({ advance: '20d' }), move({ reset: true })]],
])('Nodes create ids in a common order while %s', async (_state, calls) => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  await acceptOne(first);
  await acceptOne(second);
  for (const [path, body] of calls) expect((await first.call('POST', path, { body })).status).toBe(200);
  const ids: string[] = [];
  for (let index = 0; index < 20; index++) ids.push(await acceptOne(index % 2 === 0 ? first : second));
  expect(ids).toEqual(ids.toSorted());
});
