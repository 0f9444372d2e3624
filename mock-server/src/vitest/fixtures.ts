// This import must be first: the check must run before any other module uses Vitest.
import './check-version.ts';
import { test as base } from 'vitest';
import type { Receiver } from '../testing/receiver.ts';
import { type MockService, startMockService } from '../testing/start-mock-service.ts';
import type { Tenant } from '../testing/tenant.ts';

/** Starting the service takes much longer than a second if the machine is busy with other tests. */
const START_TIMEOUT_MS = 60_000;

/** The fixtures that the extended `test` provides. */
export interface MockServiceFixtures {
  /** The mock service. Each worker has a separate service. */
  service: MockService;
  /** A tenant, with a workspace and credentials. Each test has a separate tenant. */
  workspace: Tenant;
  /** A receiver on loopback. Each test has a separate receiver. */
  receiver: Receiver;
}

/** Vitest's `test` with a mock service, and with a workspace and a receiver for each test. */
export const test = base.extend<MockServiceFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures' names from the destructuring pattern.
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

/** In Vitest 3, hooks cannot use fixtures, and `test` has no `beforeAll`. So `beforeAll` is optional here. */
const hooks: Partial<Pick<typeof test, 'beforeAll'>> = test;

// Start the service before the tests. Otherwise, the start would count towards the time limit of the first test.
hooks.beforeAll?.(async ({ service }) => void service, START_TIMEOUT_MS);
