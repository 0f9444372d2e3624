import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { exportOperations } from '../../src/http/control/export.ts';
import type { Services } from '../../src/http/services.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

test('An export logs a warning if its reader leaves', async () => {
  await using storage = await openSqlite(':memory:');
  const warn = vi.fn();
  const services = { storage, logger: { warn }, timeline: { ensureCurrent: async () => {} } };
  const app = new Hono();
  for (const operation of exportOperations) operation.register(app, services as unknown as Services);
  const { body } = await app.request('/_control/export');
  await body?.cancel();
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(warn.mock.lastCall?.[0].err).toEqual(new Error('The reader left before the end of the export.'));
});
