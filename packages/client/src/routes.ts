import type { BodyOf, ListEnvelope, OperationName, operations, QueryOf, ResponseOf } from '@svc/contract';

type RouteFor<Name extends OperationName> =
  `${(typeof operations)[Name]['method']} ${(typeof operations)[Name]['path']}`;

/**
 * The response that the service sends for each operation, keyed by method and path.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type RouteResponses = { [Name in OperationName as RouteFor<Name>]: ResponseOf<Name> };

/**
 * The body that each operation accepts. An operation that is not listed here accepts no body.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type RouteBodies = {
  [Name in OperationName as BodyOf<Name> extends object ? RouteFor<Name> : never]: BodyOf<Name>;
};

/**
 * The query that each operation accepts. An operation that is not listed here accepts no query.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type RouteQueries = {
  [Name in OperationName as QueryOf<Name> extends object ? RouteFor<Name> : never]: QueryOf<Name>;
};

/**
 * An operation by its method and path, for example `GET /v1/events/{eventId}`. Errors, middleware and schemas use this
 * form to identify an operation.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type Route = keyof RouteResponses;

/** The routes that return a list. */
export type ListRoute = {
  [Name in Route]: RouteResponses[Name] extends ListEnvelope<unknown> ? Name : never;
}[Route];

/**
 * The route of a request. For example, the route of `GET /v1/events/evt_1` is `GET /v1/events/{eventId}`. The type is
 * `never` if this version does not know the route.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type RouteOf<Request extends string> = Request extends Route
  ? Request
  : { [Name in Route]: IfOn<Name, Request> }[Route];

/** `Name` if the request's path matches the route `Name`. A parameter in the route matches one segment of the path. */
type IfOn<Name extends string, Request extends string> = Name extends `${infer Head}{${string}}${infer Tail}`
  ? Request extends `${Head}${infer Id}${Tail}`
    ? Id extends `${string}/${string}`
      ? never
      : Name
    : never
  : never;
