export type { Event as WireEvent, ListEnvelope, Organization as WireOrganization } from '@svc/contract';
export type { Route, RouteResponses } from './routes.ts';
export { fixtures } from './testing/fixtures.ts';
export { createMockTransport, type MockTransport } from './testing/mock-transport.ts';
export type { MockedOutcome, MockedRequest, MockedResult, RecordedRequest } from './testing/mocked-outcome.ts';
export {
  cutOff,
  pages,
  rateLimited,
  refused,
  responded,
  silent,
  unreachable,
} from './testing/responses.ts';
