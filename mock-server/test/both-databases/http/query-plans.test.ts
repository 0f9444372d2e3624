import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginPass, type RetentionPass, stepOf } from '../../../src/delivery/retention.ts';
import { lowestIdAt } from '../../../src/domain/id-time.ts';
import { MATCHES } from '../../../src/domain/search.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { insertEvents } from '../../../src/storage/statements/events.ts';
import { listProfiles } from '../../../src/storage/statements/profiles/list-profiles.ts';
import { searchProfiles } from '../../../src/storage/statements/profiles/search-profiles.ts';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';
import { fillTables, growingSteps } from '../../support/http/plans.ts';
import { type Recorded, startRecording } from '../../support/http/recording.ts';
import { openPostgres } from '../../support/open-postgres.ts';

const cleanup = new AsyncDisposableStack();
let api: TestApi;
/** The database that explains the plans: the server's own on PostgreSQL, one with the same schema on SQLite. */
let storage: Storage;
let endpointId: string;
const key = { credential: demo.production.key };
const token = { credential: demo.owner, workspaceId: demo.production.id };

beforeAll(async () => {
  const database = onPostgres ? cleanup.use(await createTestDatabase({ reuse: false })) : undefined;
  storage = cleanup.use(database ? await openPostgres(database.url) : await openSqlite(':memory:'));
  api = cleanup.use(
    await startApi({ rateLimit: false, ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }) }),
  );
  const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['webhook.*'], description: 'plans' };
  endpointId = (await api.call('POST', '/v1/webhooks/endpoints', { ...key, body })).body.endpoint.id;
  if (onPostgres) await storage.write((queries) => fillTables(queries, demo.production.id, endpointId));
});
afterAll(() => cleanup.disposeAsync());

/**
 * Returns the statements with which the calls read or write rows. Leaves out the statements of the engine, which runs
 * at the same time, but not the reads of deliveries, which look into the engine's queue.
 */
async function statementsOf(calls: () => Promise<void>): Promise<Recorded[]> {
  const recording = startRecording();
  try {
    await calls();
  } finally {
    recording.stop();
  }
  return [...recording.statements.values()].filter(
    ({ text }) =>
      /^\s*(?:select|insert|update|delete|with)/i.test(text) &&
      (/ as delivery\b/.test(text) ||
        !/delivery_(?:lanes|nodes|queue)|json_each|json_array|unnest|pg_|kysely_/.test(text)),
  );
}

/** Returns the plan steps that grow with the table, by statement. */
async function growing(statements: readonly Recorded[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const statement of statements) {
    const steps = await growingSteps(storage, statement);
    if (steps.length > 0) found[statement.text] = steps;
  }
  return found;
}

/** Returns every subset of the parameters, including none and all. */
function subsets(parameters: Record<string, string>): [string, string][][] {
  const all = Object.entries(parameters);
  return Array.from({ length: 2 ** all.length }, (_, choice) =>
    all.filter((_parameter, index) => choice & (1 << index)),
  );
}

async function walk(path: string, parameters: [string, string][]): Promise<void> {
  const query = new URLSearchParams([...parameters, ['limit', '2']]);
  const first = await api.call('GET', `${path}?${query}`, key);
  expect(first.status).toBe(200);
  if (first.body.nextPageUrl) await api.call('GET', first.body.nextPageUrl, key);
}

// If no index has two filters together, the server reads some rows of one filter and checks the other. How many, the test
// of long lists shows.
describe('No query plan scans a table or sorts its rows', () => {
  test('of the list of deliveries, under every combination of its filters', async () => {
    const of = (status: string) =>
      subsets({
        endpointId,
        status,
        eventType: 't0',
        createdFrom: '1970-01-01T00:00:00.010Z',
        createdTo: '2100-01-01T00:00:00Z',
      });
    const combinations = [...of('failed'), ...of('pending')];
    expect(combinations).toHaveLength(64);
    const statements = await statementsOf(async () => {
      for (const combination of combinations) await walk('/v1/webhooks/deliveries', combination);
    });
    expect(statements.length).toBeGreaterThanOrEqual(48);
    expect(await growing(statements)).toEqual({});
  });

  test('of the list of events, under every combination of its filters', async () => {
    const statements = await statementsOf(async () => {
      for (const combination of subsets({ type: 't0', subjectType: 's0', subjectId: 'sub0' })) {
        await walk('/v1/events', combination);
      }
    });
    expect(statements.length).toBeGreaterThanOrEqual(8);
    expect(await growing(statements)).toEqual({});
  });

  test('of every other operation', async () => {
    const statements = await statementsOf(async () => {
      const expectStatus = async (status: number, ...request: Parameters<TestApi['call']>) =>
        expect((await api.call(...request)).status).toBe(status);
      await expectStatus(200, 'GET', '/v1/me', token);
      await expectStatus(200, 'GET', '/v1/organizations?expand=workspaces', { credential: demo.owner });
      await expectStatus(200, 'GET', '/v1/workspaces', { credential: demo.owner });
      await expectStatus(200, 'GET', `/v1/workspaces/${demo.production.id}`, token);
      await expectStatus(200, 'PATCH', `/v1/workspaces/${demo.production.id}`, { ...token, body: { name: 'P' } });
      await expectStatus(200, 'GET', '/v1/search?q=plans', token);
      await expectStatus(200, 'GET', '/v1/webhooks/event-types', token);
      const endpoints = '/v1/webhooks/endpoints';
      const body = { url: 'https://plans.test/', subscribedEvents: ['*'] };
      const made = await api.call('POST', endpoints, { ...key, body });
      const path = `${endpoints}/${made.body.endpoint.id}`;
      await expectStatus(200, 'GET', endpoints, key);
      await expectStatus(200, 'GET', path, key);
      await expectStatus(200, 'PATCH', path, { ...key, body: { description: 'x' } });
      await expectStatus(200, 'POST', `${path}/rotate-secret`, key);
      const ping = await api.call('POST', `${path}/send-test-event`, key);
      const delivery = `/v1/webhooks/deliveries/${ping.body.ping.deliveryId}`;
      const shown = await api.call('GET', delivery, key);
      const replay = await api.call('POST', `${delivery}/replay`, key);
      expect(replay.status).toBe(202);
      await expectStatus(200, 'GET', `/v1/events/${shown.body.delivery.eventId}`, key);
      await expectStatus(404, 'GET', '/v1/events/evt_none', key);
      await expectStatus(200, 'DELETE', path, key);
    });
    expect(statements.length).toBeGreaterThan(20);
    expect(await growing(statements)).toEqual({});
  });

  test('of the calls about profiles and evaluations', async () => {
    const base = `/_control/workspaces/${demo.staging.id}`;
    const statements = await statementsOf(async () => {
      const profiles = Array.from({ length: 5 }, (_, n) => ({
        externalId: `p${n}`,
        name: `Ada ${n}`,
        activeDays: ['2026-01-01'],
      }));
      const expectStatus = async (status: number, ...request: Parameters<TestApi['call']>) =>
        expect((await api.call(...request)).status).toBe(status);
      await expectStatus(200, 'PUT', `${base}/profiles`, { body: profiles });
      await expectStatus(200, 'PUT', `${base}/profiles`, {
        body: [{ externalId: 'p1', name: 'Eva', activeDays: ['2026-01-02'] }],
      });
      await expectStatus(200, 'POST', `${base}/evaluate`);
      for (const query of ['', 'state=churned', 'q=ada', 'state=churned&q=ada']) {
        const first = await api.call('GET', `${base}/profiles?limit=2&${query}`);
        await expectStatus(200, 'GET', first.body.nextPageUrl);
      }
      for (const q of ['ada', 'a', 'eva']) {
        const first = await api.call('GET', `/v1/search?q=${q}&limit=2`, { credential: demo.staging.key });
        if (first.body.nextPageUrl)
          await expectStatus(200, 'GET', first.body.nextPageUrl, { credential: demo.staging.key });
      }
      const [{ id }] = (await api.call('GET', `${base}/profiles`)).body.data;
      await expectStatus(200, 'GET', `${base}/profiles/${id}`);
      await expectStatus(200, 'DELETE', `${base}/profiles/${id}`);
      await expectStatus(200, 'PUT', `${base}/data-source`, { body: { kind: 'push' } });
      await expectStatus(200, 'GET', `${base}/data-source`);
      await expectStatus(200, 'GET', `${base}/evaluations?limit=1`);
      await expectStatus(200, 'GET', `${base}/schedule`);
      await expectStatus(200, 'PATCH', `/v1/workspaces/${demo.staging.id}`, {
        credential: demo.staging.key,
        body: { timezone: 'Asia/Kathmandu' },
      });
      await expectStatus(200, 'POST', '/_control/settle', { body: {} });
    });
    expect(statements.length).toBeGreaterThan(20);
    expect(await growing(statements)).toEqual({});
  });

  test('of a search in a workspace that has most of the profiles', async () => {
    const first = { side: 'after', key: undefined, inclusive: false } as const;
    const statements = await statementsOf(async () => {
      for (const word of ['ext17', 'name', 'nobody']) {
        for (const match of MATCHES) {
          const search = { workspaceId: 'wsp_x1', words: [word], match };
          await storage.read((queries) => searchProfiles(queries, search, { bound: first, limit: 21 }));
        }
        await storage.read((queries) => listProfiles(queries, { workspaceId: 'wsp_x1', q: word }, first, 21));
      }
    });
    expect(statements.length).toBeGreaterThanOrEqual(3);
    expect(await growing(statements)).toEqual({});
  });

  test('of retention', async () => {
    const id = lowestIdAt('webhookDelivery', 0);
    const statements = await statementsOf(async () => {
      await storage.write(async (queries) => {
        const shown = { workspace_id: demo.production.id, endpoint_id: endpointId, event_id: lowestIdAt('event', 0) };
        const row = { id, ...shown, payload_event_id: shown.event_id, event_type: 't9', created_at: 0 };
        await queries.insertInto('deliveries').values(row).execute();
        const { event_id: _, ...place } = shown;
        const end = { ...place, delivery_id: id, status: 'failed', attempt: 1, ended_at: 0 };
        await queries.insertInto('delivery_ends').values(end).execute();
        const event = { id: shown.event_id, workspaceId: demo.production.id, type: 't9', createdAt: 0 };
        await insertEvents(queries, [event]);
        let pass: RetentionPass | undefined = beginPass(120_000);
        for (let steps = 0; pass && steps < 500; steps++) {
          pass = await stepOf(queries, pass);
        }
        expect(pass).toBeUndefined();
      });
    });
    expect(statements.filter(({ text }) => /^delete/.test(text)).length).toBeGreaterThanOrEqual(4);
    expect(await growing(statements)).toEqual({});
  });

  test('but the check reports a statement without an index', async () => {
    const text = "select * from deliveries where payload_event_id = 'x' order by event_id";
    expect(Object.values(await growing([{ text, values: [] }])).flat()).not.toEqual([]);
  });
});
