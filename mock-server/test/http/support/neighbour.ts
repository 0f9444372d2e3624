import type { TestApi } from '../../api.ts';
import { demo } from '../../demo.ts';

/** What another tenant (Globex) has, and what must never be seen of it elsewhere. */
export interface Neighbour {
  endpointId: string;
  deliveryId: string;
  eventId: string;
  /** Ids and texts of Globex. */
  marks: readonly string[];
}

/** Gives Globex an endpoint, an event and a delivery. */
export async function settleNeighbour(api: TestApi): Promise<Neighbour> {
  const credential = demo.globex.key;
  const { body } = await api.call('POST', '/v1/webhooks/endpoints', {
    credential,
    body: { url: 'http://127.0.0.1:9/neighbours-hook', subscribedEvents: ['*'], description: 'neighbours label' },
  });
  const endpointId: string = body.endpoint.id;
  // Of an inactive endpoint the delivery is made, and no request.
  await api.call('PATCH', `/v1/webhooks/endpoints/${endpointId}`, { credential, body: { active: false } });
  const caused = await api.call('POST', '/_control/events', {
    body: { workspaceId: demo.globex.id, type: 'lifecycle.evaluated' },
  });
  const eventId: string = caused.body.event.id;
  const deliveryId: string = caused.body.deliveries[0].id;
  const marks = [endpointId, eventId, deliveryId, demo.globex.id, body.secret.id, 'neighbours', 'globex'];
  return { endpointId, deliveryId, eventId, marks };
}
