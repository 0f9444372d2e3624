import { test as base } from 'vitest';
import type { Receiver } from '../testing/receiver.ts';
import { type MockService, startMockService } from '../testing/start-mock-service.ts';
import type { Tenant } from '../testing/tenant.ts';

/** What tests are given. */
export interface MockServiceFixtures {
  /** One server for each worker. */
  service: MockService;
  /** A tenant of the test's own. */
  workspace: Tenant;
  /** A receiver of the test's own. */
  receiver: Receiver;
}

/** Vitest's `test` with a mock service, and with a workspace and a receiver for each test. */
export const test = base.extend<MockServiceFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs.
    async ({}, use) => {
      await using service = await startMockService();
      await use(service);
    },
    { scope: 'worker' },
  ],
  workspace: async ({ service }, use) => {
    await use(await service.workspace());
  },
  receiver: async ({ service }, use) => {
    await using receiver = await service.receiver();
    await use(receiver);
  },
});
