import { describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { acceptOne, listFirstDay, SEED_WITH_LATER_ID } from '../../support/later-id.ts';

const key = { credential: demo.production.key };

const control = async (api: TestApi, path: string, body: unknown = {}) => {
  const { status } = await api.call('POST', `/_control${path}`, { body });
  expect([path, status]).toEqual([path, path === '/events' ? 201 : 200]);
};

interface Page {
  data: { title: string }[];
  nextPageUrl: string | null;
}

/** Pushes profiles that the search for `alpha` finds, and returns the names of all found, from two per page. */
async function pushAndWalk(api: TestApi, prefix: string): Promise<string[]> {
  const put = await api.call('PUT', `/_control/workspaces/${demo.production.id}/profiles`, {
    body: [0, 1, 2].map((index) => ({ externalId: `${prefix}${index}`, name: `Alpha ${prefix}${index}` })),
  });
  expect(put.status).toBe(200);
  const found: string[] = [];
  for (let url: string | null = '/v1/search?q=alpha&limit=2'; url && found.length < 50; ) {
    const { body }: { body: Page } = await api.call('GET', url, key);
    found.push(...body.data.map(({ title }) => title.replace('Alpha ', '')));
    url = body.nextPageUrl;
  }
  return found;
}

describe('The ids that are generated after a restore', () => {
  test('are higher than the restored ids, even if those are from a later time and a reset came in between', async () => {
    await using api = await startApi({ rateLimit: false });
    await control(api, '/clock', { advance: 'P30D' });
    await pushAndWalk(api, 'later');
    await control(api, '/clock', { reset: true });
    await control(api, '/snapshots/one');
    await control(api, '/reset');
    await control(api, '/snapshots/one/restore');
    expect(await pushAndWalk(api, 'new')).toEqual(['new2', 'new1', 'new0', 'later2', 'later1', 'later0']);
  });

  test('are in the range of a filter by creation time, even after a second restore', async () => {
    await using api = await startApi({ rateLimit: false });
    await api.call('POST', '/v1/webhooks/endpoints', {
      ...key,
      body: { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] },
    });
    await control(api, '/snapshots/one');
    await control(api, '/clock', { advance: 'P30D' });
    await control(api, '/snapshots/one/restore');
    await control(api, '/snapshots/one/restore');
    await control(api, '/events', { workspaceId: demo.production.id, type: 'lifecycle.evaluated' });
    const { body: clock } = await api.call('GET', '/_control/clock');
    const createdTo = new Date(Date.parse(clock.now) + 60_000).toISOString();
    const { body } = await api.call('GET', `/v1/webhooks/deliveries?createdTo=${createdTo}`, key);
    expect(body.data).toHaveLength(1);
  });

  test('are in this range even if a seed sets an id from a later time', async () => {
    await using api = await startApi({ rateLimit: false, seed: SEED_WITH_LATER_ID });
    await control(api, '/snapshots/one');
    await control(api, '/snapshots/one/restore');
    await acceptOne(api);
    expect(await listFirstDay(api)).toHaveLength(1);
  });
});
