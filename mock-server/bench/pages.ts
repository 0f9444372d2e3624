import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startCluster } from '@svc/testing/postgres';
import { printHelpIfAsked } from '../../scripts/usage.ts';
import type { Cursor } from '../src/domain/page-token.ts';
import { keysetPage } from '../src/storage/keyset.ts';
import type { Storage } from '../src/storage/port.ts';
import { openSqlite } from '../src/storage/sqlite/open.ts';
import { listDeliveries } from '../src/storage/statements/deliveries/list.ts';
import { openPostgres } from '../test/support/open-postgres.ts';

printHelpIfAsked(`
Compares, in one run, the cost of a page at the start of a list of a million rows with the cost of a page at its end.

  npm run bench -- pages
`);

const ROWS = 1_000_000;
const ROUNDS = 300;
const WORKSPACE = 'wsp_bench';
const idOf = (number: number) => `whd_${String(number).padStart(26, '0')}`;

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
try {
  {
    await using storage = await openSqlite(join(folder, 'pages.sqlite'));
    await measure('SQLite', storage);
  }
  await using cluster = await startCluster();
  const url = await createDatabase({ url: cluster.url, prefix: `svc_pages_${process.pid}` });
  await using storage = await openPostgres(url, 'api');
  await measure('PostgreSQL', storage);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(database: string, storage: Storage): Promise<void> {
  process.stderr.write(`${database}: inserting ${ROWS.toLocaleString('en')} deliveries …\n`);
  await fill(storage);
  console.log(database);
  for (const [name, filter] of [
    ['no filter', {}],
    ['status', { status: 'failed' }],
    ['endpoint', { endpointId: 'whe_3' }],
    ['endpoint and status', { endpointId: 'whe_3', status: 'success' }],
  ] as const) {
    const second: Cursor = { direction: 'next', key: idOf(ROWS - 100), inclusive: false };
    const last: Cursor = { direction: 'next', key: idOf(150), inclusive: false };
    const [begin, end] = [await costOf(storage, filter, second), await costOf(storage, filter, last)];
    console.log(
      `  ${name.padEnd(22)} beginning ${begin.toFixed(3)} ms   end ${end.toFixed(3)} ms   ratio ${(end / begin).toFixed(2)} (target: at most 2)`,
    );
  }
}

async function fill(storage: Storage): Promise<void> {
  for (let from = 0; from < ROWS; from += 2_000) {
    const rows = Array.from({ length: 2_000 }, (_, index) => ({
      id: idOf(from + index),
      workspace_id: WORKSPACE,
      endpoint_id: `whe_${index % 7}`,
      event_id: 'evt_bench',
      payload_event_id: 'evt_bench',
      event_type: 'lifecycle.evaluated',
      created_at: from + index,
    }));
    const ends = rows.map(({ id, workspace_id, endpoint_id, created_at }, index) => ({
      delivery_id: id,
      workspace_id,
      endpoint_id,
      status: index % 3 === 0 ? 'failed' : 'success',
      attempt: 1,
      ended_at: created_at,
      error: null,
      response_status: 204,
      response_time_ms: 1,
    }));
    await storage.write(async (queries) => {
      await queries.insertInto('deliveries').values(rows).execute();
      await queries.insertInto('delivery_ends').values(ends).execute();
    });
  }
}

/** Measures how long a page takes. Returns the median in milliseconds. */
async function costOf(storage: Storage, filter: object, cursor: Cursor): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await keysetPage(
      (bound, limit) =>
        storage.read((queries) => listDeliveries(queries, { workspaceId: WORKSPACE, ...filter }, bound, limit)),
      (row) => row.id,
      cursor,
      20,
    );
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}
