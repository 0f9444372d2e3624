import { describe, expect, test } from 'vitest';
import { TRANSFER_TABLES } from '../../src/storage/transfer/tables.ts';
import { startApi } from '../api.ts';
import { startReceiver } from '../receiver.ts';
import { repeatable, scriptedExport } from './support/scripted-export.ts';

/** Runs the script on a new server and returns the export. */
async function exported(randomSeed: number, receiver: Awaited<ReturnType<typeof startReceiver>>, stable?: boolean) {
  await using api = await startApi(repeatable(randomSeed));
  return await scriptedExport(api.server, receiver, stable);
}

describe('GET /_control/export', () => {
  test('has the same bytes for the same seed and script, and differs for another seed', async () => {
    await using receiver = await startReceiver();
    const first = await exported(7, receiver);
    expect(await exported(7, receiver)).toBe(first);
    expect(await exported(8, receiver)).not.toBe(first);
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

  test('contains no times of the real clock if it is stable', async () => {
    await using receiver = await startReceiver();
    const text = await exported(7, receiver);
    expect(text).not.toMatch(/webhook-timestamp|webhook-signature|"date\\":/i);
    expect(await exported(7, receiver, false)).toMatch(/webhook-timestamp/);
  });
});
