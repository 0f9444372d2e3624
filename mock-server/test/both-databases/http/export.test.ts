import { describe, expect, test } from 'vitest';
import { createControlClient } from '../../../src/control-client/client.ts';
import { TRANSFER_TABLES } from '../../../src/storage/transfer/tables.ts';
import { startApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { repeatable, scriptedExport } from '../../support/http/scripted-export.ts';
import { startReceiver } from '../../support/receiver.ts';

/** Runs the script on a new server and returns the export. */
async function exported(randomSeed: number, receiver: Awaited<ReturnType<typeof startReceiver>>, stable?: boolean) {
  await using api = await startApi(repeatable(randomSeed));
  return await scriptedExport(api.server, receiver, stable);
}

const exportOf = async (url: string, query = '') => await (await fetch(`${url}/_control/export${query}`)).text();

/** The clock in an export. */
function clockIn(text: string): unknown {
  const lines = text.trimEnd().split('\n');
  const { row } = lines.map((line) => JSON.parse(line)).find((line) => line.row?.name === 'clock');
  return JSON.parse(row.value);
}

describe('GET /_control/export', () => {
  test('has the same bytes for the same seed and script, and differs for another seed', async () => {
    await using receiver = await startReceiver();
    const first = await exported(7, receiver);
    expect(await exported(7, receiver)).toBe(first);
    expect(await exported(8, receiver)).not.toBe(first);
  });

  test('has the same bytes if several workspaces were evaluated at the same midnight', async () => {
    const texts: string[] = [];
    for (let run = 0; run < 2; run++) {
      await using api = await startApi(repeatable(7));
      const control = createControlClient({ baseUrl: api.server.url });
      const { organization } = await control.createOrganization({ name: 'Many' });
      for (const slug of ['a', 'b', 'c', 'd', 'e']) {
        const { workspace } = await control.createWorkspace({ organizationId: organization.id, name: 'W', slug });
        await control.importProfiles({ workspaceId: workspace.id, profiles: [{ externalId: 'p' }] });
      }
      await control.changeClock({ advance: '3d' });
      texts.push(await exportOf(api.server.url));
    }
    expect(texts[1]).toBe(texts[0]);
  });

  test('has the same bytes if a random fault hits attempts to several endpoints at the same time', async () => {
    await using receiver = await startReceiver();
    const texts: string[] = [];
    for (const slow of ['/a', '/b']) {
      receiver.slowPath = `/hook${slow}`;
      await using api = await startApi(repeatable(7));
      const control = createControlClient({ baseUrl: api.server.url });
      for (const path of ['/a', '/b']) {
        const body = { url: receiver.url + path, subscribedEvents: ['*'] };
        await api.call('POST', '/v1/webhooks/endpoints', { body, credential: demo.production.key });
      }
      await control.createFault({ target: 'delivery', effect: { status: 500 }, probability: 0.5 });
      // An endpoint has at most 16 attempts in flight. So the later attempts start in an order that differs.
      const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
      await control.createEvents({ events: Array.from({ length: 30 }, () => event) });
      await control.settle();
      await control.changeClock({ advance: '2h' });
      texts.push(await exportOf(api.server.url, '?stable=true'));
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('"response_status":500');
  });

  test('contains a header, the rows in table order, and their count', async () => {
    await using receiver = await startReceiver();
    const lines = (await exported(7, receiver, false))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows = lines.slice(1, -1);
    expect(lines[0]).toMatchObject({ format: 'svc-mock export', version: 1, masterKeyMark: expect.any(String) });
    expect(lines[0]).not.toHaveProperty('masterKey');
    expect(lines.at(-1)).toEqual({ end: true, rows: rows.length });
    const tables = [...new Set(rows.map(({ table }) => table))];
    const order = TRANSFER_TABLES.map(({ name }) => name as string);
    expect(tables).toEqual(order.filter((name) => tables.includes(name)));
    // Deliveries of 20 events, a replay, an evaluation on request and one at midnight.
    expect(rows.filter(({ table }) => table === 'deliveries')).toHaveLength(23);
    expect(rows.filter(({ table }) => table === 'delivery_attempts').length).toBeGreaterThan(83);
  });

  test('has the same bytes while the clock is frozen and no request was made, also if it is not stable', async () => {
    const texts: string[] = [];
    for (let run = 0; run < 2; run++) {
      await using api = await startApi(repeatable(7));
      await api.call('POST', '/_control/clock', { body: { advance: '1h' } });
      texts.push(await exportOf(api.server.url));
      await api.call('POST', '/_control/clock', { body: { resume: true } });
      // A clock that runs goes on from the same distance, so its export says how far it is from the real one.
      expect(clockIn(await exportOf(api.server.url))).toEqual({ offsetMs: expect.any(Number), frozenAt: null });
    }
    expect(texts[1]).toBe(texts[0]);
    expect(clockIn(texts[0] ?? '')).toEqual({ frozenAt: Date.parse('2031-03-01T01:00:00Z') });
  });

  test('contains no times of the real clock if it is stable', async () => {
    await using receiver = await startReceiver();
    const text = await exported(7, receiver);
    expect(text).not.toMatch(/webhook-timestamp|webhook-signature|"date\\":/i);
    expect(await exported(7, receiver, false)).toMatch(/webhook-timestamp/);
  });
});
