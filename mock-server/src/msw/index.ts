export { createMockService, type MswMockService, type MswMockServiceOptions } from './create-mock-service.ts';
