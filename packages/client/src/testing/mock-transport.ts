import type { Fetch, RawResponse } from '../platform.ts';
import type { Route, RouteResponses } from '../routes.ts';
import { completePlatform } from './complete-platform.ts';
import type { MockedOutcome, MockedRequest, RecordedRequest } from './mocked-outcome.ts';
import { responded } from './responses.ts';
import { findRoute } from './routes.ts';

/**
 * A service in memory. The transport returns the responses that you set, and records the requests that it receives.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export interface MockTransport {
  /** Pass this address to `createClient`. Any other address works too. */
  readonly baseUrl: string;
  /** Pass this function to `createClient`. */
  readonly fetch: Fetch;
  /** All requests that the transport has received, including retries. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sets the response of an operation. Pass the JSON of a response body (the compiler checks its type), an
   * outcome such as {@link rateLimited}, or your own function. If you pass several outcomes, the first request gets the
   * first outcome, the second request gets the second outcome, and so on. All later requests get the last outcome.
   */
  on<Name extends Route>(
    route: Name,
    ...outcomes: NoInfer<RouteResponses[Name] | MockedOutcome<RouteResponses[Name], Name>>[]
  ): MockTransport;
  /** Forgets all requests and all responses that you set. Call `reset` between tests. */
  reset(): MockTransport;
}

type AnyOutcome = MockedOutcome<unknown>;

/**
 * Creates a transport that responds without a network. If you set no response for an operation, the transport responds
 * with 501, which the client does not retry.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export function createMockTransport(): MockTransport {
  completePlatform();
  const requests: RecordedRequest[] = [];
  const scripts = new Map<string, unknown[]>();
  const transport: MockTransport = {
    baseUrl: 'https://service.test',
    requests,
    on(route, ...outcomes) {
      scripts.set(route, [...outcomes]);
      return transport;
    },
    reset() {
      requests.length = 0;
      scripts.clear();
      return transport;
    },
    async fetch(url, { method, headers, body, signal }) {
      const { pathname: path, searchParams } = new URL(url);
      const { authorization, ...shown } = headers;
      const { route = `${method} ${path}`, status = 200, params = {} } = findRoute(method, path) ?? {};
      const json = () => (body === undefined ? undefined : (JSON.parse(body) as unknown));
      const recorded = { route, method, path, params, query: Object.fromEntries(searchParams), headers: shown };
      requests.push({ ...recorded, body: json() });
      const script = scripts.get(route) ?? [];
      if (script.length)
        return respond(script.length > 1 ? script.shift() : script[0], { ...recorded, json, url, status, signal });
      const message = `The mock transport has no response for ${route}: call on('${route}', …)`;
      return Response.json({ error: { code: 'NOT_MOCKED', message } }, { status: 501 });
    },
  };
  return transport;
}

/** Calls the outcome. An outcome may return another outcome, so calls outcomes until one of them returns a response. */
async function respond(outcome: unknown, request: MockedRequest): Promise<RawResponse> {
  if (outcome instanceof Response) return outcome;
  const act = typeof outcome === 'function' ? (outcome as AnyOutcome) : responded(outcome);
  return respond(await act(request), request);
}
