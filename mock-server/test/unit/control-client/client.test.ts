import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlClient, createControlClient } from '../../../src/control-client/client.ts';
import { startReceiver } from '../../../src/testing/receiver.ts';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
let control: ControlClient;
beforeAll(async () => {
  api = await startApi({ adminToken: TEST_ADMIN_TOKEN });
  control = createControlClient({ baseUrl: `${api.server.url}/`, adminToken: TEST_ADMIN_TOKEN });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('The control client', () => {
  test('puts each part of the input where it belongs: path, query or body', async () => {
    const { user } = await control.createUser({ email: 'new@example.test', name: 'New' });
    const member = { organizationId: demo.acmeId, userId: user.id } as const;
    expect(await control.setOrganizationRole({ ...member, role: 'Viewer' })).toEqual({ ok: true });
    const { id } = await control.createCredential({ kind: 'personal_access_token', userId: user.id });
    expect(await control.revokeCredential({ credentialId: id })).toEqual({ ok: true });
    expect(await control.listNotifications({ userId: user.id, limit: 1 })).toEqual({
      data: [],
      nextPageUrl: null,
      previousPageUrl: null,
    });
    expect(await control.readClock()).toMatchObject({ frozen: false });
  });

  test('rejects with the code, the status and the message of the server', async () => {
    await expect(control.revokeCredential({ credentialId: 'key_none' })).rejects.toMatchObject({
      name: 'ControlError',
      code: 'NOT_FOUND',
      status: 404,
      message: 'No such credential: key_none',
    });
    const stranger = createControlClient({ baseUrl: api.server.url, adminToken: 'wrong' });
    await expect(stranger.readClock()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
  });

  test.each(['secret\nsecond line', 'secret\0', ' secret', 'secret\u2028'])(
    'refuses the admin token %j without quoting it',
    (adminToken) => {
      const refused = () => createControlClient({ baseUrl: api.server.url, adminToken });
      expect(refused).toThrow(TypeError);
      expect(refused).not.toThrow(/secret/);
    },
  );

  test('hides the admin token if the response quotes it', async () => {
    await using receiver = await startReceiver();
    const adminToken = 'to"ken/+of-the-admin&0123456789abcdef';
    const quoted = { code: 'PROXY', message: `Bearer ${adminToken}` };
    receiver.respond({ status: 502, body: JSON.stringify({ error: quoted }) });
    const proxied = createControlClient({ baseUrl: new URL(receiver.url).origin, adminToken });
    await expect(proxied.readClock()).rejects.toMatchObject({
      message: 'Bearer [redacted]',
      body: { error: { message: 'Bearer [redacted]' } },
    });
  });

  test('requires the parameters that the path names', async () => {
    // @ts-expect-error It is required.
    await expect(control.revokeCredential({})).rejects.toThrow(
      'DELETE /_control/credentials/{credentialId} requires "credentialId".',
    );
  });

  test('reports that the server cannot be reached, or that another program may have answered', async () => {
    await using receiver = await startReceiver();
    const other = createControlClient({ baseUrl: new URL(receiver.url).origin });
    receiver.respond({ body: 'hello' });
    await expect(other.readClock()).rejects.toMatchObject({
      code: 'HTTP_200',
      message: expect.stringMatching(/Is this the URL of svc-mock\?$/),
    });
    receiver.respond({ status: 307, headers: { location: `${api.server.url}/_control/clock` } });
    await expect(other.readClock()).rejects.toMatchObject({ code: 'HTTP_307' });
    await receiver.close();
    await expect(other.readClock()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(
        /^Cannot reach the server at http:\/\/127\.0\.0\.1:\d+\. Is it running\? Start it with: svc-mock start$/,
      ),
    });
  });
});
