import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { freezeAt, makeWorkspace } from '../../support/http/workspace.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await freezeAt(api, '2031-03-10T12:00:00.000Z');
});
afterAll(() => api[Symbol.asyncDispose]());

const _NOW = '2031-03-10T12:00:00.000Z';
const _counts = { upserted: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, problems: [] };

describe('The list of profiles', () => {
  test('is sorted by last seen, latest first, in pages, and can be searched by word and state', async () => {
    const { put, base, profiles, evaluate } = await makeWorkspace(api);
    const days = ['2031-03-09', '2031-03-01', '2031-02-01', '2030-01-01', '2031-03-01'];
    await put(days.map((day, n) => ({ externalId: `p${n}`, name: `Name ${n}`, activeDays: [day] })));
    const names = (page: { data: { externalId: string }[] }) => page.data.map(({ externalId }) => externalId);
    const first = (await api.call('GET', `${base}/profiles?limit=2`)).body;
    const second = (await api.call('GET', first.nextPageUrl)).body;
    const third = (await api.call('GET', second.nextPageUrl)).body;
    expect([first, second, third].map(names)).toEqual([['p0', 'p4'], ['p1', 'p2'], ['p3']]);
    expect(third.nextPageUrl).toBeNull();
    expect(names((await api.call('GET', second.previousPageUrl)).body)).toEqual(['p0', 'p4']);
    expect(await profiles('?q=NAME%203')).toMatchObject([{ externalId: 'p3' }]);
    expect(await profiles('?q=none')).toEqual([]);
    expect(await profiles('?q=%21')).toEqual([]);
    await evaluate();
    expect(await profiles('?state=churned')).toMatchObject([{ externalId: 'p3' }]);
    expect(await profiles('?state=dormant&q=name')).toMatchObject([{ externalId: 'p2' }]);
    expect((await api.call('GET', `${base}/profiles?state=lost`)).status).toBe(400);
  });

  test('a deleted profile is gone, and no evaluation is scheduled without profiles', async () => {
    const { put, base, profiles, schedule } = await makeWorkspace(api);
    await put([{ externalId: 'a', name: 'Ada' }]);
    const [{ id }] = await profiles();
    expect((await api.call('GET', `${base}/profiles/${id}`)).body.profile).toMatchObject({ id, name: 'Ada' });
    const other = await makeWorkspace(api);
    expect((await api.call('GET', `${other.base}/profiles/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `${other.base}/profiles/${id}`)).status).toBe(404);
    expect(await schedule()).toMatchObject({ nextEvaluationAt: '2031-03-11T00:00:00.000Z' });
    expect((await api.call('DELETE', `${base}/profiles/${id}`)).body).toEqual({ ok: true });
    expect((await api.call('DELETE', `${base}/profiles/${id}`)).status).toBe(404);
    expect(await profiles('?q=ada')).toEqual([]);
    expect(await schedule()).toEqual({ nextEvaluationAt: null, nextSyncAt: null });
  });
});
