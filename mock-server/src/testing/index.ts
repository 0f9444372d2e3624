export type * from '@svc/contract/control/resources';
export { type ControlClient, type ControlClientOptions, createControlClient } from '../control-client/client.ts';
export { ControlError } from '../control-client/response.ts';
export type { IssuedCredential } from '../index.ts';
export type { MockServiceOptions } from './options.ts';
export type {
  FetchHandler,
  ReceivedRequest,
  Receiver,
  ReceiverOptions,
  ScriptedResponse,
  ShortResponse,
} from './receiver.ts';
export { type MockService, startMockService } from './start-mock-service.ts';
export type { Tenant, TenantOptions } from './tenant.ts';
export type { MockServiceTools, TestClock, TestFaults, TestSnapshot, TriggerOptions } from './tools.ts';
export type { WaitForDeliveryOptions } from './waits.ts';
export { WaitError } from './waits.ts';
