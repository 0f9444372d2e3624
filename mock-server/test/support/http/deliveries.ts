import type { TestApi } from '../api.ts';
import { demo } from '../demo.ts';

/** The caller of these calls: the demo's API key. */
export const as = { credential: demo.production.key };

/** Adds an endpoint, and returns its id and its secret. By default, it subscribes to `lifecycle.*`. */
export async function addEndpoint(api: TestApi, url: string, subscribedEvents = ['lifecycle.*']) {
  const { body } = await api.call('POST', '/v1/webhooks/endpoints', { ...as, body: { url, subscribedEvents } });
  return { id: body.endpoint.id as string, secret: body.secret.secret as string };
}

/** Causes an event, and returns it with its deliveries. */
export const cause = async (api: TestApi) =>
  (
    await api.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    })
  ).body;

/** Waits until every delivery that is due has been attempted. */
export const settle = (api: TestApi) => api.call('POST', '/_control/settle');

/** Moves the clock, and returns what ran meanwhile. */
export const advance = async (api: TestApi, duration: string) =>
  (await api.call('POST', '/_control/clock', { body: { advance: duration } })).body;

/** A delivery as the API shows it. */
export const deliveryOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/v1/webhooks/deliveries/${id}`, as)).body.delivery;
