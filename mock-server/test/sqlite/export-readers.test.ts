import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { exportHandlers } from '../../src/http/control/export.ts';
import { registerOperation } from '../../src/http/control/operation.ts';
import type { Services } from '../../src/http/services.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

afterEach(() => void vi.useRealTimers());

/** An app that exports a new database, which is empty. */
async function openExports(file = ':memory:') {
  const storage = await openSqlite(file);
  const warn = vi.fn();
  const services = {
    storage,
    logger: { warn },
    exports: { running: 0 },
    onSameData: () => ({}),
    timeline: { whileCurrent: (work: () => unknown) => work() },
  };
  const app = new Hono();
  registerOperation(app, services as unknown as Services, 'exportData', exportHandlers.exportData);
  return { app, warn, storage, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
}

test('An export logs a warning if its reader leaves', async () => {
  await using opened = await openExports();
  const { app, warn } = opened;
  const { body } = await app.request('/_control/export');
  await body?.cancel();
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(warn.mock.lastCall?.[0].err).toEqual(new Error('The client disconnected before the end of the export.'));
});

test('An export lets the event loop run, even if its reader is quick', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-export-'));
  await using opened = await openExports(join(folder.path, 'export.sqlite'));
  const name = 'n'.repeat(100);
  const rows = Array.from({ length: 20_000 }, (_, index) => [`usr_${index}`, `${index}@a.test`, name, 0]);
  await opened.storage.write(async (queries) => {
    await sql`insert into users (id, email, name, created_at)
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${JSON.stringify(rows)})`.execute(
      queries,
    );
  });
  let passes = 0;
  let isRunning = true;
  const counting = (async () => {
    for (; isRunning; passes++) await nextPass();
  })();
  const text = await (await opened.app.request('/_control/export')).text();
  isRunning = false;
  await counting;
  expect(text).toMatch(/\n\{"end":true,"rows":20000\}\n$/);
  expect(passes).toBeGreaterThan(5);
});

test('An export whose reader stalls for 10 s is cut off before its last line, and its slot is free again', async () => {
  await using opened = await openExports();
  const { app, warn } = opened;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const stalled = await app.request('/_control/export');
  while (vi.getTimerCount() === 0) await nextPass();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  while (warn.mock.calls.length === 0) await nextPass();
  vi.useRealTimers();
  expect(warn.mock.lastCall?.[0].err).toMatchObject({ name: 'ReaderStalledError' });
  await expect(stalled.text()).rejects.toThrow('The client read nothing');
  for (let count = 0; count < 3; count += 1) {
    expect(await (await app.request('/_control/export')).text()).toMatch(/\n\{"end":true,"rows":\d+\}\n$/);
  }
});
