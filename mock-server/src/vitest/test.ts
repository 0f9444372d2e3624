import { test as base } from 'vitest';
import type { Receiver } from '../testing/receiver.ts';
import { type MockService, startMockService } from '../testing/start-mock-service.ts';
import type { Tenant } from '../testing/tenant.ts';

/** A start takes well under a second. On a machine that is busy with other tests it may take far longer. */
const START_TIMEOUT_MS = 60_000;

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

// The service starts in a hook: in the first test that uses it, the start would count towards that test's time-out.
test.beforeAll(async ({ service }) => void service, START_TIMEOUT_MS);
