import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';

/** Acts on a server, and returns its clock before it closes and after the next start on the same data. */
async function aroundRestart(act: (api: TestApi) => Promise<unknown>) {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-restart-'));
  cleanup.defer(() => rm(dataDir, { recursive: true }));
  const database = onPostgres ? cleanup.use(await createTestDatabase()) : undefined;
  const options = { dataDir, masterKey: TEST_MASTER_KEY, ...(database && { databaseUrl: database.url }) };
  const clockOf = async (api: TestApi) => (await api.call('GET', '/_control/clock')).body;
  let before: unknown;
  {
    await using api = await startApi(options);
    await act(api);
    before = await clockOf(api);
  }
  await using api = await startApi(options);
  return { before, after: await clockOf(api) };
}

const move = (api: TestApi, body: object) => api.call('POST', '/_control/clock', { body });
const DAY_MS = 86_400_000;

describe('Offset and freeze of the clock', () => {
  test('survive a restart on the same data', async () => {
    const frozen = await aroundRestart(async (api) => {
      await move(api, { advance: '3d' });
      await move(api, { freeze: true });
    });
    expect(frozen.after).toEqual({ ...(frozen.before as object), frozen: true, offsetMs: expect.any(Number) });
    expect(Math.round(frozen.after.offsetMs / DAY_MS)).toBe(3);

    const running = await aroundRestart((api) => move(api, { advance: '3d' }));
    expect(running.after).toEqual({ ...(running.before as object), now: expect.any(String) });
    expect(running.after).toMatchObject({ frozen: false });
    expect(Math.round(running.after.offsetMs / DAY_MS)).toBe(3);
  });

  test('are gone after a restart if they were reset before', async () => {
    const { after } = await aroundRestart(async (api) => {
      await move(api, { advance: '3d' });
      await move(api, { freeze: true });
      await move(api, { reset: true });
    });
    expect(after).toMatchObject({ offsetMs: 0, frozen: false });
  });
});
