import type { TestApi } from '../api.ts';
import { demo } from '../demo.ts';

/** Resources of another tenant (Globex), and what no other tenant may ever see. */
export interface Neighbour {
  endpointId: string;
  deliveryId: string;
  eventId: string;
  /** Ids and texts of Globex. */
  marks: readonly string[];
}

/** Creates an endpoint, an event and a delivery for Globex. */
export async function settleNeighbour(api: TestApi): Promise<Neighbour> {
  const credential = demo.globex.key;
  const { body } = await api.call('POST', '/v1/webhooks/endpoints', {
    credential,
    body: { url: 'http://127.0.0.1:9/neighbours-hook', subscribedEvents: ['*'], description: 'neighbours label' },
  });
  const endpointId: string = body.endpoint.id;
  // An inactive endpoint gets a delivery, but no request.
  await api.call('PATCH', `/v1/webhooks/endpoints/${endpointId}`, { credential, body: { active: false } });
  const caused = await api.call('POST', '/_control/events', {
    body: { workspaceId: demo.globex.id, type: 'lifecycle.evaluated' },
  });
  const eventId: string = caused.body.event.id;
  const deliveryId: string = caused.body.deliveries[0].id;
  const marks = [endpointId, eventId, deliveryId, demo.globex.id, body.secret.id, 'neighbours', 'globex'];
  return { endpointId, deliveryId, eventId, marks };
}
