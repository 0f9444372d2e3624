import type { ID_PREFIXES, IdKind, WorkspaceId } from '@svc/contract';
import type { IdPrefix, Route, RouteBodies, RouteQueries, RouteResponses } from '../../src/index.ts';
import type { Equal, Expect } from './assert.ts';

// The contract's table has these routes. A route without a body or a query has no entry there.
export type Routes = [
  Expect<'GET /v1/webhooks/event-types' extends Route ? true : false>,
  Expect<Equal<RouteResponses['GET /v1/workspaces/{workspaceId}']['workspace']['id'], WorkspaceId>>,
  Expect<Equal<Extract<keyof RouteBodies, `${string} /v1/webhooks/endpoints`>, 'POST /v1/webhooks/endpoints'>>,
  Expect<Equal<'GET /v1/me' extends keyof RouteQueries ? true : false, false>>,
  Expect<Equal<RouteQueries['GET /v1/webhooks/endpoints']['limit'], number | undefined>>,
];

// The kinds of id are those of the contract.
export type Kinds = [Expect<Equal<`${IdPrefix}_`, (typeof ID_PREFIXES)[IdKind]>>];
