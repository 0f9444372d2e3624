export {
  createMockService,
  type MswMockService,
  type MswMockServiceOptions,
  type StartingMswMockService,
} from './create-mock-service.ts';
