import type { Call } from './call.ts';
import { check } from './check.ts';
import type { CallOptions } from './options.ts';
import { resolveUrl } from './origin.ts';
import { searchOf } from './query.ts';
import { routeOf } from './route.ts';
import type { RouteAnswers, RouteBodies, RouteOf, RouteQueries } from './routes.ts';
import type { Method, Sender } from './sender.ts';

/**
 * A query: lists are joined by commas, instants are written in ISO 8601, and what is undefined is left out.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type RequestQuery = Record<string, string | number | boolean | Date | readonly string[] | undefined>;

/**
 * What a request carries: typed if this version knows the route, else anything.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export interface RequestOptions<Request extends string = string> extends CallOptions {
  query?: RequestPart<Request, RouteQueries, RequestQuery> | undefined;
  /** Written as JSON. */
  body?: RequestPart<Request, RouteBodies, unknown> | undefined;
}

/**
 * What `Parts` says of a request's route: nothing if the route is known and has no such part, `Otherwise` if it is unknown.
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
 * Sends a request to any route of the service, with everything that a call has: the credential, retries, limits and errors.
 *
 * It is for routes that this version of the package does not know. It returns the whole answer, not unwrapped: typed if
 * this version knows the route, else `unknown`, and `undefined` if the answer is empty.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type RequestOperation = <const Verb extends Method, const Path extends string>(
  method: Verb,
  path: Path,
  options?: RequestOptions<`${Verb} ${Path}`>,
) => Call<RequestPart<`${Verb} ${Path}`, RouteAnswers, unknown>>;

/** `request` for one sender. */
export function createRequest({ call, settings }: Sender): RequestOperation {
  return (method, path, options = {}) => {
    const { query, body } = options;
    const url = () => {
      // An empty part, `.` and `..` reach another endpoint, and so does what URL parsers change.
      check(
        !/^[^?#]*([\s\\]|\/(\.|%2e){0,2}([/?#]|$))/i.test(path.replace(settings.origin, '')),
        'Not a path: use encodeURIComponent, and no empty part, "." or ".."',
      );
      const search = searchOf(query);
      return resolveUrl(path, settings) + (path.includes('?') ? search.replace('?', '&') : search);
    };
    return call(`${method} ${routeOf(path)}`, url, '', options, body);
  };
}
