export type { Event as WireEvent, Organization as WireOrganization } from '@svc/contract';
export type { Route, RouteAnswers } from './routes.ts';
export {
  answered,
  cutOff,
  type MockedOutcome,
  type MockedRequest,
  pages,
  rateLimited,
  refused,
  silent,
  unreachable,
} from './testing/answers.ts';
export { fixtures } from './testing/fixtures.ts';
export { createMockTransport, type MockTransport, type RecordedRequest } from './testing/mock-transport.ts';
