import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('POST /_control/clock', () => {
  const set = (body: unknown) => api.call('POST', '/_control/clock', { body });
  const now = async () => Date.parse((await api.call('GET', '/_control/clock')).body.now);

  test('advances by ISO 8601 and short durations, and stored timestamps follow', async () => {
    const before = await now();
    expect((await set({ advance: 'P1DT2H' })).body.ran).toEqual({ attempts: 0, evaluations: 0 });
    await set({ advance: '3d' });
    expect((await now()) - before).toBeGreaterThanOrEqual(98 * 3_600_000);
    const { body } = await api.call('PATCH', `/v1/workspaces/${demo.globex.id}`, {
      credential: demo.globex.key,
      body: { weekStartsOn: 6 },
    });
    expect(body.workspace.id).toBe(demo.globex.id);
    const { workspace } = (await api.call('GET', `/v1/workspaces/${demo.globex.id}`, { credential: demo.globex.key }))
      .body;
    expect(Date.parse(workspace.updatedAt) - before).toBeGreaterThanOrEqual(98 * 3_600_000);
  });

  test('puts a running clock ahead by exactly the duration, however long the move takes', async () => {
    const offsetMs = async () => (await api.call('GET', '/_control/clock')).body.offsetMs;
    const before = await offsetMs();
    await set({ advance: 'PT5M' });
    expect(await offsetMs()).toBe(before + 300_000);
    await set({ advance: '1d' });
    expect(await offsetMs()).toBe(before + 86_700_000);
  });

  test('freezes, moves while frozen, and returns to the real time on reset', async () => {
    await set({ freeze: true });
    const frozenAt = await now();
    await set({ advance: 'PT5M' });
    expect(await now()).toBe(frozenAt + 300_000);
    expect((await api.call('GET', '/_control/clock')).body.frozen).toBe(true);
    await set({ reset: true });
    expect((await api.call('GET', '/_control/clock')).body).toMatchObject({ offsetMs: 0, frozen: false });
  });

  test.each([
    [{ set: '2001-01-01T00:00:00Z' }],
    [{ set: 'tomorrow' }],
    [{ advance: '5 minutes' }],
    [{ advance: 'P1M' }],
    [{ advance: '-5m' }],
    [{ advance: '9999999999d' }],
    [{ advance: '3500000d' }],
    [{ set: '9999-06-01T00:00:00Z' }],
    [{ freeze: false }],
    [{}],
    [{ advance: '5m', freeze: true }],
  ])('refuses %j', async (body) => {
    expect(await set(body)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });
});

test('the server still works at the latest possible time', async () => {
  await using own = await startApi();
  expect((await own.call('POST', '/_control/clock', { body: { set: '9998-12-31T23:59:59Z' } })).status).toBe(200);
  const caused = await own.call('POST', '/_control/events', {
    body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
  });
  expect(caused.body.event.created).toMatch(/^9998-12-31T/);
  expect((await own.call('POST', '/_control/clock', { body: { reset: true } })).status).toBe(200);
});

const read = (path: string) => api.call('GET', `/_control/${path}`);
const control = (path: string, body: unknown) => api.call('POST', `/_control/${path}`, { body });

describe('Resuming the clock', () => {
  test('continues from its current time', async () => {
    await control('clock', { freeze: true });
    const { body: frozen } = await control('clock', { advance: '1h' });
    const { body: resumed } = await control('clock', { resume: true });
    expect(Date.parse(resumed.now) - Date.parse(frozen.now)).toBeLessThan(60_000);
    expect(Date.parse(resumed.now)).toBeGreaterThanOrEqual(Date.parse(frozen.now));
    expect((await read('clock')).body).toMatchObject({ frozen: false, offsetMs: expect.any(Number) });
    expect((await control('clock', { resume: false })).status).toBe(400);
  });
});
