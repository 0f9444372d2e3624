export type { Event as WireEvent, Organization as WireOrganization } from '@svc/contract';
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
export type { Route, RouteAnswers } from './testing/routes.ts';
