import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  await api.call('POST', '/_control/clock', { body: { freeze: true } });
});
afterAll(() => api[Symbol.asyncDispose]());

const as = { credential: demo.production.key };
const advance = async (): Promise<string> =>
  (await api.call('POST', '/_control/clock', { body: { advance: '1s' } })).body.now;

const endpoint = {
  url: 'https://receiver.test/hook',
  description: 'Billing',
  subscribedEvents: ['lifecycle.*', 'webhook.ping'],
};
const endpointPath = async () => {
  const { body } = await api.call('POST', '/v1/webhooks/endpoints', { ...as, body: endpoint });
  return `/v1/webhooks/endpoints/${body.endpoint.id}`;
};
const workspacePath = async () => {
  const path = `/v1/workspaces/${demo.production.id}`;
  const body = { name: 'Production', slug: 'production', timezone: null, weekStartsOn: null };
  await api.call('PATCH', path, { ...as, body });
  return path;
};

interface Patches {
  resource: string;
  make: () => Promise<string>;
  same: object[];
  other: object[];
}

describe.each<Patches>([
  {
    resource: 'workspace',
    make: workspacePath,
    same: [{}, { unknown: 1 }, { name: ' Production ' }, { slug: 'production', timezone: null, weekStartsOn: null }],
    other: [
      { name: 'Other' },
      { slug: 'other' },
      { timezone: 'Europe/Berlin' },
      { weekStartsOn: 0, name: 'Production' },
    ],
  },
  {
    resource: 'endpoint',
    make: endpointPath,
    same: [{}, { unknown: 1 }, endpoint, { active: true, apiVersion: 'latest' }],
    other: [
      { url: 'https://receiver.test/other' },
      { description: null },
      { subscribedEvents: ['webhook.ping', 'lifecycle.*'] },
      { ...endpoint, active: false },
      { apiVersion: 'other' },
    ],
  },
])('updatedAt of a $resource', ({ resource, make, same, other }) => {
  const updatedAt = async (path: string) => (await api.call('GET', path, as)).body[resource].updatedAt;

  test.each(same)('stays after PATCH %j, which changes nothing', async (body) => {
    const path = await make();
    const before = await updatedAt(path);
    await advance();
    expect((await api.call('PATCH', path, { ...as, body })).status).toBe(200);
    expect(await updatedAt(path)).toBe(before);
  });

  test.each(other)('moves after PATCH %j', async (body) => {
    const path = await make();
    const now = await advance();
    expect((await api.call('PATCH', path, { ...as, body })).status).toBe(200);
    expect(await updatedAt(path)).toBe(now);
  });
});
