import type { TestApi } from '../api.ts';
import { demo } from '../demo.ts';

/**
 * Calls of the control API, and what most of their tests need.
 *
 * @param api - Returns the server, which starts before the first test.
 */
export function controlOf(api: () => TestApi) {
  /** Reads, or posts a body if there is one. */
  const control = (path: string, body?: unknown) =>
    api().call(body === undefined ? 'GET' : 'POST', `/_control/${path}`, body === undefined ? {} : { body });

  return {
    control,

    /** Registers an endpoint. Returns it with its secret. */
    async addEndpoint(url: string, { key }: { key: string } = demo.production) {
      const body = { url, subscribedEvents: ['lifecycle.*'] };
      return (await api().call('POST', '/v1/webhooks/endpoints', { credential: key, body })).body;
    },

    /** Causes an event. Returns it with its deliveries. */
    cause: async (workspaceId: string = demo.production.id) =>
      (await control('events', { workspaceId, type: 'lifecycle.evaluated' })).body,
  };
}
