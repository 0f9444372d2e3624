import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control } = controlOf(() => api);

describe('GET /_control/info', () => {
  test('describes the server, and lists the credentials of its seed that are still valid', async () => {
    const { body } = await control('info');
    expect(body).toMatchObject({ profile: 'local', roles: ['api', 'deliver', 'evaluate'], publicUrl: api.server.url });
    expect(body.credentials.map(({ credential }: { credential: string }) => credential)).toContain(demo.globexOwner);
    const { data } = (await control(`credentials?workspaceId=${demo.globex.id}`)).body;
    await api.call('DELETE', `/_control/credentials/${data[0].id}`);
    const after = (await control('info')).body.credentials;
    expect(after).toHaveLength(body.credentials.length - 1);
    expect(JSON.stringify(after)).not.toContain(demo.globex.key);
  });

  test('lists no credentials in the strict profile', async () => {
    await using strict = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN });
    const { body } = await strict.call('GET', '/_control/info', { credential: TEST_ADMIN_TOKEN });
    expect(body).toMatchObject({ profile: 'strict', credentials: [] });
  });
});
