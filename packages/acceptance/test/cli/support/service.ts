import { type MockService, startMockService, type Tenant } from '@svc/mock-server/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Ran, svcMock } from '../../../src/svc-mock.ts';

/** The service and the tenant that the commands of a test file use. */
export interface CliService {
  /** One for all tests of the file. */
  readonly service: MockService;
  /** New for each test. */
  readonly tenant: Tenant;
  /** Runs a command with the tenant's API key, which names the workspace. */
  run(...argv: string[]): Promise<Ran>;
}

/** Starts a service for the tests of a file, and creates a tenant for each of them. */
export function useService(): CliService {
  let service: MockService;
  let tenant: Tenant;
  beforeAll(async () => {
    service = await startMockService();
  });
  beforeEach(async () => {
    tenant = await service.workspace();
  });
  afterAll(() => service.close());
  return {
    get service() {
      return service;
    },
    get tenant() {
      return tenant;
    },
    run: (...argv) => svcMock(service.url, argv, { env: { SVC_API_KEY: tenant.apiKey } }),
  };
}
