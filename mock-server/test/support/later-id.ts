import { expect } from 'vitest';
import type { TestApi } from './api.ts';

const CREDENTIAL = 'svc_sk_test_later_0123456789';

/** A seed whose clock stands at the start of 2025, and whose endpoint has an id from November 2025. */
export const SEED_WITH_LATER_ID = {
  clock: { startAt: '2025-01-01T00:00:00Z' },
  organizations: [
    {
      slug: 'a',
      name: 'A',
      workspaces: [
        {
          id: 'wsp_later',
          slug: 'w',
          name: 'W',
          apiKeys: [{ credential: CREDENTIAL }],
          endpoints: [{ id: 'whe_01KAZ5Q2B3C4D5E6F7G8H9J0K1', url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] }],
        },
      ],
    },
  ],
};

/** Accepts an event in the workspace of the seed. @returns the id of its delivery. */
export async function acceptOne(api: TestApi): Promise<string> {
  const body = { workspaceId: 'wsp_later', type: 'lifecycle.evaluated' };
  const accepted = await api.call('POST', '/_control/events', { body });
  expect(accepted.status).toBe(201);
  return accepted.body.deliveries[0].id;
}

/** Lists the ids of the deliveries that were created on the first day of the seed's clock, newest first. */
export async function listFirstDay(api: TestApi): Promise<string[]> {
  const path = '/v1/webhooks/deliveries?createdFrom=2025-01-01T00:00:00Z&createdTo=2025-01-02T00:00:00Z';
  const { body } = await api.call('GET', path, { credential: CREDENTIAL });
  return body.data.map(({ id }: { id: string }) => id);
}
