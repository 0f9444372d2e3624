// This check runs before anything uses Vitest.
import './check-version.ts';
import { test as base } from 'vitest';
import type { Receiver } from '../testing/receiver.ts';
import { type MockService, startMockService } from '../testing/start-mock-service.ts';
import type { Tenant } from '../testing/tenant.ts';

/** A start takes well under a second, but much longer on a machine that is busy with other tests. */
const START_TIMEOUT_MS = 60_000;

/** The fixtures of a test. */
export interface MockServiceFixtures {
  /** One server for each worker. */
  service: MockService;
  /** A separate tenant for each test. */
  workspace: Tenant;
  /** A separate receiver for each test. */
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

/** Vitest 3 has no hooks with fixtures. */
const hooks: Partial<Pick<typeof test, 'beforeAll'>> = test;

// Starts the service in a hook. Otherwise its start would count toward the time limit of the first test that uses it.
hooks.beforeAll?.(async ({ service }) => void service, START_TIMEOUT_MS);
