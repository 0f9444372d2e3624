import { createClient } from '@svc/client';
import type { MockService } from '../../src/testing/index.ts';

/** Creates a tenant with a receiver that gets every event. */
export async function subscribe(service: MockService) {
  const receiver = await service.receiver();
  const tenant = await service.workspace();
  const svc = createClient({ apiKey: tenant.apiKey, baseUrl: service.url });
  const { endpoint, secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  const trigger = () => service.trigger('lifecycle.evaluated', { workspaceId: tenant.workspaceId });
  return { ...tenant, receiver, svc, endpointId: endpoint.id, secret: secret.secret, trigger };
}
