import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlClient } from '../../../src/control-client/client.ts';
import { LAST_ID_AT } from '../../../src/domain/id-time.ts';
import type { ServerConfig } from '../../../src/index.ts';
import { exportOffline, importOffline } from '../../../src/start/offline-transfer.ts';
import { startApi, TEST_MASTER_KEY } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';
import { repeatable, scriptedExport } from '../../support/http/scripted-export.ts';
import { startReceiver } from '../../support/receiver.ts';

let lines: string[];
beforeAll(async () => {
  await using receiver = await startReceiver();
  await using api = await startApi({ ...repeatable(7), masterKey: TEST_MASTER_KEY });
  lines = (await scriptedExport(api.server, receiver)).trimEnd().split('\n');
});

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** Creates an empty database for one test, and returns the options with which a server or an import uses it. */
async function emptyPlace() {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-import-'));
  cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const databaseUrl = onPostgres ? cleanup.use(await createTestDatabase({ reuse: false })).url : undefined;
  return { dataDir, databaseUrl, masterKey: TEST_MASTER_KEY };
}

type Place = Awaited<ReturnType<typeof emptyPlace>>;

async function* from(given: readonly string[]): AsyncGenerator<string> {
  yield* given;
}

const importInto = (place: Place, given: readonly string[]) => importOffline(place, from(given), () => {});

describe('An import', () => {
  // All rejected imports share one database, because a database is expensive. Each import finds the database empty.
  let place: Place;
  beforeAll(async () => {
    place = await emptyPlace();
  });

  /** Returns the index of the line with the first row of a table. */
  const firstOf = (table: string) => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));

  test.each<[string, Record<string, unknown>, string]>([
    ['users', { created_at: 'abc' }, 'users.created_at must be an integer'],
    ['users', { created_at: 0.5 }, 'users.created_at must be an integer'],
    ['users', { created_at: LAST_ID_AT + 1 }, `users.created_at must be from -${LAST_ID_AT} to ${LAST_ID_AT}`],
    ['webhook_secrets', { expires_at: -LAST_ID_AT - 1 }, 'webhook_secrets.expires_at must be from'],
    ['users', { id: 'usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }, 'users.id must have the form of an id of this service'],
    ['users', { name: 7 }, 'users.name must be a string'],
    ['users', { name: null }, 'users.name is missing'],
    ['users', { colour: 'red' }, 'users has no column "colour"'],
    ['organization_members', { role: 'owner' }, 'organization_members.role must be one of: Owner, Admin, Viewer'],
    ['delivery_ends', { status: 'banana' }, 'delivery_ends.status must be one of: success, failed, disabled'],
    ['delivery_attempts', { late: 2 }, 'delivery_attempts.late must be one of: 0, 1'],
    ['profile_states', { state: 'asleep' }, 'profile_states.state must be one of: new, active'],
    ['settings', { name: 'masterKeyMark' }, 'settings.name must be one of: clock'],
    ['settings', { value: '{' }, 'settings.value must be a string that contains a JSON value'],
    ['settings', { value: '{"frozenAt":1e400}' }, 'the setting clock.frozenAt must be an integer'],
    ['settings', { value: '{"frozenAt":null,"offsetMs":"0"}' }, 'the setting clock.offsetMs must be an integer'],
    ['settings', { name: 'idLeadMs', value: '1e400' }, 'the setting idLeadMs must be an integer'],
    [
      'webhook_endpoints',
      { subscribed_events: '{}' },
      'webhook_endpoints.subscribed_events must be a string that contains a JSON array',
    ],
    ['events', { body: '{"id":' }, 'events.body must be a string that contains a JSON object'],
    [
      'delivery_attempts',
      { response_headers: 'null' },
      'delivery_attempts.response_headers must be a string that contains a JSON object',
    ],
  ])('rejects a row of %s with %j', async (table, values, problem) => {
    const at = firstOf(table);
    const row = { ...JSON.parse(lines[at] ?? '').row, ...values };
    const broken = lines.with(at, JSON.stringify({ table, row }));
    await expect(importInto(place, broken)).rejects.toThrow(`Line ${at + 1} of the export is broken: ${problem}`);
  });

  test('changes nothing if it is rejected: the next one still finds an empty database', async () => {
    await expect(importInto(place, lines.slice(0, -1))).rejects.toThrow('truncated');
    expect([...(await importInto(place, lines)).values()].reduce((sum, rows) => sum + rows)).toBe(lines.length - 2);
    // The twin: a database with rows is refused.
    await expect(importInto(place, lines)).rejects.toThrow('is not empty. Import into an empty database.');
  });

  test.runIf(onPostgres).each(['', 'new/folder'])(
    'into PostgreSQL leaves the files of a server that started in its data folder meanwhile: %j',
    async (path) => {
      const { dataDir: parent, ...rest } = await emptyPlace();
      const dataDir = join(parent, path);
      async function* interrupted() {
        yield* lines.slice(0, 3);
        mkdirSync(dataDir, { recursive: true });
        writeFileSync(join(dataDir, 'svc-mock.sqlite'), 'data of a server');
      }
      await expect(importOffline({ ...rest, dataDir }, interrupted(), () => {})).rejects.toThrow('truncated');
      expect(readFileSync(join(dataDir, 'svc-mock.sqlite'), 'utf8')).toBe('data of a server');
    },
  );

  test.skipIf(onPostgres)('into a new data folder removes the folder if it is rejected', async () => {
    const { dataDir, ...rest } = await emptyPlace();
    const place = { ...rest, dataDir: join(dataDir, 'new/folder') };
    await expect(importInto(place, lines.slice(0, 3))).rejects.toThrow('truncated');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('replaces the clock and the faults of a server without rows', async () => {
    const place = await emptyPlace();
    const given = { ...place, databaseUrl: place.databaseUrl ?? undefined } as Partial<ServerConfig>;
    {
      await using api = await startApi({ ...given, seed: {}, startAt: Date.parse('2040-01-01T00:00:00Z') });
      const control = createControlClient({ baseUrl: api.server.url });
      await control.changeClock({ advance: '1d' });
      await control.createFault({ target: 'api', match: { path: '/v1/none' }, effect: { status: 500 } });
    }
    const withoutFaults = lines.filter((line) => !line.includes('"name":"faults"'));
    const rows = withoutFaults.length - 2;
    await importInto(place, withoutFaults.with(-1, JSON.stringify({ end: true, rows })));
    await using api = await startApi(given);
    const control = createControlClient({ baseUrl: api.server.url });
    // The script left the clock at this time.
    expect((await control.readClock()).now).toBe('2031-03-02T02:35:00.000Z');
    expect((await control.listFaults()).faults).toEqual([]);
  });
});

describe('A data source with the path of a file', () => {
  const secretFile = () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-secret-'));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'people.ndjson');
    writeFileSync(path, '{"externalId":"from-a-file"}\n');
    return path;
  };

  /** Returns the export of a server whose workspace Production has this data source, changed by `edit`. */
  async function exportWith(source: object, edit = (text: string) => text): Promise<string[]> {
    await using api = await startApi({ ...repeatable(7), masterKey: TEST_MASTER_KEY });
    const path = `/_control/workspaces/${demo.production.id}/data-source`;
    expect((await api.call('PUT', path, { body: source })).status).toBe(200);
    const text = await (await fetch(`${api.server.url}/_control/export`)).text();
    return edit(text).trimEnd().split('\n');
  }

  test('is not read after an import until it is set again', async () => {
    const location = secretFile();
    const place = await emptyPlace();
    const source = { kind: 'ndjson', location, schedule: '1h' };
    await importInto(place, await exportWith(source));
    await using api = await startApi({ ...place });
    const path = `/_control/workspaces/${demo.production.id}/data-source`;
    const sync = async () => (await api.call('POST', `${path}/sync`)).body.sync;
    const refused = { upserted: 0, error: expect.stringContaining('set the data source again') };
    expect((await api.call('GET', path)).body.dataSource).toMatchObject({ ...source, imported: true });
    expect(await sync()).toMatchObject(refused);
    await api.call('POST', '/_control/clock', { body: { advance: '3h' } });
    const { dataSource } = (await api.call('GET', path)).body;
    expect(dataSource).toMatchObject({ ...source, lastSync: refused });

    // A snapshot does not make it trustworthy.
    await api.call('POST', '/_control/snapshots/one');
    await api.call('POST', '/_control/snapshots/one/restore');
    expect(await sync()).toMatchObject(refused);

    expect((await api.call('PUT', path, { body: source })).body.dataSource).not.toHaveProperty('imported');
    expect(await sync()).toMatchObject({ upserted: 1, error: null });
    await api.call('POST', '/_control/snapshots/two');
    await api.call('POST', '/_control/snapshots/two/restore');
    expect(await sync()).toMatchObject({ upserted: 1, error: null });
  });

  test.each([
    ['a relative path', (text: string) => text.replaceAll(/(location\\":\\")[^"\\]+/g, '$1etc/passwd')],
    ['another kind', (text: string) => text.replaceAll('kind\\":\\"ndjson', 'kind\\":\\"file')],
  ])('written by hand is not read either: %s', async (_what, edit) => {
    const place = await emptyPlace();
    await importInto(place, await exportWith({ kind: 'ndjson', location: secretFile() }, edit));
    await using api = await startApi({ ...place });
    const path = `/_control/workspaces/${demo.production.id}/data-source`;
    expect((await api.call('GET', path)).body.dataSource).toMatchObject({ imported: true });
    const { body } = await api.call('POST', `${path}/sync`);
    expect(body.sync).toMatchObject({ upserted: 0, error: expect.stringContaining('set the data source again') });
  });

  test.each([
    ['an interval of zero', (text: string) => text.replaceAll(/(schedule\\":\\")[^"\\]+/g, '$1PT0S')],
    ['nothing to read', (text: string) => text.replaceAll(/"source":"(?:[^"\\]|\\.)*"/g, '"source":null')],
  ])('with %s cannot keep the server busy', async (_what, edit) => {
    const place = await emptyPlace();
    await importInto(place, await exportWith({ kind: 'ndjson', location: secretFile(), schedule: '1h' }, edit));
    await using api = await startApi({ ...place });
    const advanced = await api.call('POST', '/_control/clock', { body: { advance: '65m' } });
    expect(advanced.status).toBe(200);
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
  });

  test('is read if it is a URL', async () => {
    const place = await emptyPlace();
    await importInto(place, await exportWith({ kind: 'ndjson', location: 'http://127.0.0.1:9/people' }));
    await using api = await startApi({ ...place });
    const { body } = await api.call('POST', `/_control/workspaces/${demo.production.id}/data-source/sync`);
    expect(body.sync.error).toBe('Cannot read http://127.0.0.1:9/people: connection refused.');
  });
});

test('An export of a database that no server has used is rejected, and writes no file', async () => {
  const place = await emptyPlace();
  const write = async () => expect.unreachable('an export was written');
  await expect(exportOffline(place, {}, write)).rejects.toThrow(/^There is no data in /);
});
