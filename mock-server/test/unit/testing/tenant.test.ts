import { createClient } from '@svc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlError, type MockService, startMockService } from '../../../src/testing/index.ts';
import { subscribe } from '../../support/subscribed.ts';

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

const subscribed = () => subscribe(service);

describe('service.workspace()', () => {
  test("creates a workspace with these options, its API key and its Owner's token", async () => {
    const tenant = await service.workspace({ name: 'Mine', timezone: 'Europe/Berlin', weekStartsOn: 0 });
    const byKey = createClient({ apiKey: tenant.apiKey, baseUrl: service.url });
    const byToken = createClient({ accessToken: tenant.accessToken, baseUrl: service.url });
    expect(await byKey.workspaces.retrieve(tenant.workspaceId)).toMatchObject({
      id: tenant.workspaceId,
      organizationId: tenant.organizationId,
      name: 'Mine',
      timezone: 'Europe/Berlin',
      weekStartsOn: 0,
    });
    expect(await byToken.me.retrieve()).toMatchObject({ user: { id: tenant.userId } });
    expect((await byToken.workspaces.list()).data.map(({ id }) => id)).toEqual([tenant.workspaceId]);
  });

  test("does not show one tenant's rows to another", async () => {
    const one = await subscribed();
    const other = await subscribed();
    await one.trigger();
    await service.waitForIdle();
    expect(one.receiver.requests).toHaveLength(1);
    expect(other.receiver.requests).toEqual([]);
    expect((await other.svc.events.list()).data).toEqual([]);
  });

  test('rejects what the control API rejects', async () => {
    const error = await service.workspace({ timezone: 'Mars/Olympus' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ControlError);
    expect(error).toMatchObject({ code: 'VALIDATION', status: 400 });
  });
});
