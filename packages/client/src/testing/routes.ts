import { type AnswerOf, type OperationName, operations } from '@svc/contract';

type Table = typeof operations;

/** An operation by its method and path, as errors, middleware and schemas name it: `GET /v1/events/{eventId}`. */
export type Route = { [Name in OperationName]: RouteOf<Name> }[OperationName];

type RouteOf<Name extends OperationName> = `${Table[Name]['method']} ${Table[Name]['path']}`;

/** The answers of every operation as they stand on the wire, by route. */
export type RouteAnswers = { [Name in OperationName as RouteOf<Name>]: AnswerOf<Name> };

/** What the contract says of a route. */
export interface KnownRoute {
  route: Route;
  status: number;
  pattern: RegExp;
}

// Paths without a parameter first: `…/endpoints/event-types` is none of the endpoints.
const known: KnownRoute[] = Object.values(operations)
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ method, path, status }) => ({
    route: `${method} ${path}` as Route,
    status,
    pattern: new RegExp(`^${method} .*?${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The route that a request is on. */
export function findRoute(method: string, pathname: string): KnownRoute | undefined {
  return known.find(({ pattern }) => pattern.test(`${method} ${pathname}`));
}
