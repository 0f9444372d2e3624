import type { SeedInput } from '../../src/storage/seed/schema.ts';
import { BEHAVIOURS, type Behaviour } from './plan.ts';

/** The workspace of the crash test. */
export const WORKSPACE_ID = 'wsp_crash';
/** Its API key. */
export const API_KEY = 'svc_sk_test_crash';

/** A workspace with one user and endpoints of every behaviour. */
export function seedOf(url: (behaviour: Behaviour) => string, copiesOfEach: number): SeedInput {
  const endpoints = BEHAVIOURS.flatMap((behaviour) =>
    Array.from({ length: copiesOfEach }, () => ({ url: url(behaviour), subscribedEvents: ['lifecycle.*'] })),
  );
  const email = 'owner@crash.test';
  return {
    users: [{ email, name: 'Owner' }],
    organizations: [
      {
        slug: 'crash',
        name: 'Crash',
        members: { [email]: 'Owner' },
        workspaces: [{ id: WORKSPACE_ID, slug: 'crash', name: 'Crash', apiKeys: [{ credential: API_KEY }], endpoints }],
      },
    ],
  };
}
