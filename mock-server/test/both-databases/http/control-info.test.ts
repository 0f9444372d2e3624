import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const read = (path: string) => api.call('GET', `/_control/${path}`);

describe('GET /_control/info', () => {
  test('describes the server, and lists the credentials of its seed that are still valid', async () => {
    const { body } = await read('info');
    expect(body).toMatchObject({ profile: 'local', roles: ['api', 'deliver', 'evaluate'], publicUrl: api.server.url });
    expect(body.credentials.map(({ credential }: { credential: string }) => credential)).toContain(demo.globexOwner);
    const { data } = (await read(`credentials?workspaceId=${demo.globex.id}`)).body;
    await api.call('DELETE', `/_control/credentials/${data[0].id}`);
    const after = (await read('info')).body.credentials;
    expect(after).toHaveLength(body.credentials.length - 1);
    expect(JSON.stringify(after)).not.toContain(demo.globex.key);
  });

  test('lists no credentials in the strict profile', async () => {
    await using strict = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN });
    const { body } = await strict.call('GET', '/_control/info', { credential: TEST_ADMIN_TOKEN });
    expect(body).toMatchObject({ profile: 'strict', credentials: [] });
  });
});
