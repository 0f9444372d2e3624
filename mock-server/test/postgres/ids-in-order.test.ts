import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { TestApi } from '../support/api.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { makeWorkspace } from '../support/http/workspace.ts';
import { startFleet } from './support/fleet.ts';

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Creates an organization. @returns its id. */
async function createOrganization(node: TestApi, index: number): Promise<string> {
  const body = { slug: `org-${index}`, name: 'Org' };
  return (await node.call('POST', '/_control/organizations', { body })).body.organization.id;
}

/** Accepts an event. @returns its id. */
async function acceptOne(node: TestApi, workspaceId: string = demo.production.id): Promise<string> {
  const body = { workspaceId, type: 'lifecycle.evaluated' };
  const accepted = await node.call('POST', '/_control/events', { body });
  return accepted.body.event.id;
}

const SNAPSHOT = '/_control/snapshots/before';

test.each<[string, [path: string, body: object][]]>([
  ['while the clock is frozen', [['/_control/clock', { freeze: true }]]],
  [
    'after the clock was set back',
    [
      ['/_control/clock', { advance: '20d' }],
      ['/_control/clock', { reset: true }],
    ],
  ],
  [
    'after a snapshot with an earlier clock was restored',
    [
      [SNAPSHOT, {}],
      ['/_control/clock', { advance: '5d' }],
      [`${SNAPSHOT}/restore`, {}],
    ],
  ],
])('Nodes create ids in a common order %s', async (_state, changes) => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  await acceptOne(first);
  await acceptOne(second);
  for (const [path, body] of changes) expect(await first.call('POST', path, { body })).toMatchObject({ status: 200 });
  const events: string[] = [];
  const organizations: string[] = [];
  for (let index = 0; index < 20; index++) events.push(await acceptOne(index % 2 === 0 ? first : second));
  for (let index = 0; index < 20; index++)
    organizations.push(await createOrganization(index % 2 === 0 ? first : second, index));
  expect(events).toEqual(events.toSorted());
  expect(organizations).toEqual(organizations.toSorted());
});

test('A node that did not write while the clock was frozen creates higher ids after the clock runs again', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second, third] = fleet.nodes;
  await first.call('POST', '/_control/clock', { body: { freeze: true } });
  // With each change of the node, the time in the ids increases by a millisecond, although the clock stands still.
  const events: string[] = [];
  for (let index = 0; index < 200; index++) events.push(await acceptOne(index % 2 === 0 ? first : second));
  await first.call('POST', '/_control/clock', { body: { resume: true } });
  events.push(await acceptOne(third), await acceptOne(first));
  expect(events).toEqual(events.toSorted());
});

test('Nodes create ids in a common order while a step of the clock waits for an attempt', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  const failed = Promise.withResolvers<void>();
  const retried = Promise.withResolvers<ServerResponse>();
  let attempts = 0;
  await using receiver = await startReceiver((_request, response) => {
    if (++attempts > 1) return retried.resolve(response);
    response.writeHead(500).end();
    failed.resolve();
  });
  const { id, credential } = await makeWorkspace(first);
  await first.call('POST', '/v1/webhooks/endpoints', {
    credential,
    body: { url: receiver.url, subscribedEvents: ['lifecycle.*'] },
  });
  await acceptOne(first, id);
  await failed.promise;
  const move = first.call('POST', '/_control/clock', { body: { advance: '6m' } });
  const response = await retried.promise;
  const events: string[] = [];
  for (let index = 0; index < 20; index++) events.push(await acceptOne(index % 2 === 0 ? first : second));
  response.end();
  expect((await move).status).toBe(200);
  expect(events).toEqual(events.toSorted());
});

test('The event of an evaluation has a higher id than the events that other nodes created during the evaluation', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  const { id, put, evaluate } = await makeWorkspace(second);
  await put([{ externalId: 'a' }]);
  await first.call('POST', '/_control/clock', { body: { freeze: true } });
  const blocker = new pg.Client({ connectionString: fleet.databaseUrl });
  await blocker.connect();
  const ids: string[] = [];
  for (let round = 0; round < 6; round++) {
    await blocker.query('begin');
    await blocker.query('select from lifecycles where workspace_id = $1 for update', [id]);
    const evaluation = evaluate();
    await vi.waitFor(async () => expect((await blocker.query(WAITING)).rowCount).toBe(1));
    ids.push(await acceptOne(first), await acceptOne(first));
    await blocker.query('rollback');
    ids.push((await evaluation).body.event.id);
  }
  await blocker.end();
  expect(ids).toEqual(ids.toSorted());
});
