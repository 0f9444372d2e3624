import type { Open } from '@svc/contract';
import type { Call } from './call.ts';
import type { CallOptions } from './options.ts';
import { resolveUrl } from './origin.ts';
import { searchOf } from './query.ts';
import { routeOf } from './route.ts';
import type { RouteBodies, RouteOf, RouteQueries, RouteResponses } from './routes.ts';
import type { Method, Sender } from './sender.ts';

/**
 * The query parameters. Arrays are joined with commas, dates are in ISO 8601, and undefined values are left out.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type RequestQuery = Record<string, string | number | boolean | Date | readonly string[] | undefined>;

/**
 * Options for a request. The query and the body are typed if this version of the package knows the route. For
 * other routes, any query and body compile.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export interface RequestOptions<Request extends string = string> extends CallOptions {
  query?: RequestPart<Request, RouteQueries, RequestQuery> | undefined;
  /** The body, which is sent as JSON. */
  body?: RequestPart<Request, RouteBodies, unknown> | undefined;
}

/**
 * The type that `Parts` contains for a request's route. The type is `undefined` if the route is known but missing from
 * `Parts`, and `Otherwise` if the route is unknown.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type RequestPart<Request extends string, Parts, Otherwise> = [RouteOf<Request>] extends [never]
  ? Otherwise
  : RouteOf<Request> extends infer Name
    ? Name extends keyof Parts
      ? Parts[Name]
      : undefined
    : never;

/**
 * Sends a request to any route of the service. The credential, retries, limits and errors are the same as for any other
 * call.
 *
 * Use this method for routes that this version of the package does not know. The call returns the whole JSON of the
 * response. The response is typed if this version knows the route. Otherwise, the type is `unknown`. An empty response
 * is returned as `undefined`.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type RequestOperation = <const Verb extends Method, const Path extends Open<PathWithoutId<Verb>>>(
  method: Verb,
  path: Path,
  options?: RequestOptions<`${Verb} ${Path}`>,
) => Call<RequestPart<`${Verb} ${Path}`, RouteResponses, unknown>>;

/** The paths of a method's known routes, except paths with an id. Editors suggest these paths. */
type PathWithoutId<Verb extends Method> = {
  [Route in keyof RouteResponses]: Route extends `${Verb} ${infer Path}`
    ? Path extends `${string}{${string}`
      ? never
      : Path
    : never;
}[keyof RouteResponses];

export function createRequest({ call, settings }: Sender): RequestOperation {
  return (method, path, options = {}) => {
    const { query, body } = options;
    const url = () => {
      const search = searchOf(query);
      return resolveUrl(path, settings.address()) + (path.includes('?') ? search.replace('?', '&') : search);
    };
    // `fetch` converts `post` to `POST`, so the same retry rules apply to both.
    return call(
      { operation: `${method.toUpperCase()} ${routeOf(path)}`, url, body, options, moreOptions: { query: 1, body: 1 } },
      'all-or-nothing',
    );
  };
}
