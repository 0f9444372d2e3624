import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { exportHandlers } from '../../src/http/control/export.ts';
import { registerOperation } from '../../src/http/control/operation.ts';
import type { Services } from '../../src/http/services.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

afterEach(() => void vi.useRealTimers());

/** An app that exports an empty database. */
async function openExports() {
  const storage = await openSqlite(':memory:');
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
  return { app, warn, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
}

test('An export logs a warning if its reader leaves', async () => {
  await using opened = await openExports();
  const { app, warn } = opened;
  const { body } = await app.request('/_control/export');
  await body?.cancel();
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(warn.mock.lastCall?.[0].err).toEqual(new Error('The client disconnected before the end of the export.'));
});

test('An export whose reader stalls for 10 s is cut off before its last line, and its slot is free again', async () => {
  await using opened = await openExports();
  const { app, warn } = opened;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const stalled = await app.request('/_control/export');
  while (vi.getTimerCount() === 0) await nextTurn();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  while (warn.mock.calls.length === 0) await nextTurn();
  vi.useRealTimers();
  expect(warn.mock.lastCall?.[0].err).toMatchObject({ name: 'ReaderStalledError' });
  await expect(stalled.text()).rejects.toThrow('The client read nothing');
  for (let count = 0; count < 3; count += 1) {
    expect(await (await app.request('/_control/export')).text()).toMatch(/\n\{"end":true,"rows":\d+\}\n$/);
  }
});
