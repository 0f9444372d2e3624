import type { PathParameters } from '@svc/contract';
import type { RawResponse, Signal } from '../platform.ts';
import type { Route, RouteBodies } from '../routes.ts';

/**
 * A request that the mock transport received.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export interface RecordedRequest {
  /**
   * The operation, for example `GET /v1/events/{eventId}`, or the method and the path if the service has no such
   * operation.
   */
  route: Route | (string & {});
  method: string;
  /** The path, for example `/v1/events/evt_1`. */
  path: string;
  /** The ids in the path, keyed by their names in the route: `{ eventId: 'evt_1' }`. */
  params: Record<string, string>;
  query: Record<string, string>;
  /** The headers, without the credential. Their names are in lower case. */
  headers: Record<string, string>;
  /** The parsed body. Undefined if the request had no body. */
  body: unknown;
}

/**
 * A request to one route, as your outcome function receives it.
 *
 * {@includeCode ../../test/documented/testing.ts#outcome}
 */
export interface MockedRequest<Name extends string = string> extends Omit<RecordedRequest, 'body' | 'params'> {
  url: string;
  /** The ids in the path, keyed by their names in the route. */
  params: Record<string extends Name ? string : PathParameters<Name>, string>;
  /** Returns the parsed body, or undefined if the request has no body. */
  json(): Name extends keyof RouteBodies ? RouteBodies[Name] : unknown;
  /** The operation's documented success status. */
  status: number;
  signal: Signal;
}

/**
 * Decides the result of a mocked request. The function may return the JSON of a response body, a `Response`, or another
 * outcome. The function may also throw an error, as `fetch` does.
 *
 * The property `returns` exists only for the compiler, which uses it to reject outcomes with the wrong response type.
 * At run time, no outcome has this property.
 *
 * {@includeCode ../../test/documented/testing.ts#outcome}
 */
export type MockedOutcome<Body = never, Name extends string = string> = ((
  request: MockedRequest<Name>,
) => MockedResult<Body> | Promise<MockedResult<Body>>) & { readonly returns?: Body };

/**
 * The values that an outcome may return.
 *
 * {@includeCode ../../test/documented/testing.ts#outcome}
 */
export type MockedResult<Body> = Body | RawResponse | MockedOutcome<Body>;
