import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { TestApi } from '../support/api.ts';
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
async function acceptOne(node: TestApi): Promise<string> {
  const body = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const accepted = await node.call('POST', '/_control/events', { body });
  return accepted.body.event.id;
}

test.each([
  ['the clock is frozen', [{ freeze: true }]],
  ['the clock was set back', [{ advance: '20d' }, { reset: true }]],
])('Nodes create ids in a common order while %s', async (_state, changes) => {
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  await acceptOne(first);
  await acceptOne(second);
  for (const body of changes) expect((await first.call('POST', '/_control/clock', { body })).status).toBe(200);
  const events: string[] = [];
  const organizations: string[] = [];
  for (let index = 0; index < 20; index++) events.push(await acceptOne(index % 2 === 0 ? first : second));
  for (let index = 0; index < 20; index++)
    organizations.push(await createOrganization(index % 2 === 0 ? first : second, index));
  expect(events).toEqual(events.toSorted());
  expect(organizations).toEqual(organizations.toSorted());
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
