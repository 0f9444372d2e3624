import type { Fetch } from '../platform.ts';
import type { Route, RouteAnswers } from '../routes.ts';
import { answered, type MockedOutcome } from './answers.ts';
import { findRoute } from './routes.ts';

/**
 * A request that the mock transport got.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export interface RecordedRequest {
  /** The operation, for example `GET /v1/events/{eventId}`; the bare method and path where the service has no such one. */
  route: Route | (string & {});
  method: string;
  /** For example `/v1/events/evt_1`. */
  path: string;
  query: Record<string, string>;
  /** Without the credential. */
  headers: Record<string, string>;
  /** The body, parsed; undefined where there was none. */
  body: unknown;
}

/**
 * A service in memory: it answers what it was told, and keeps what it was asked.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export interface MockTransport {
  /** For `createClient`. Any other address will do as well. */
  readonly baseUrl: string;
  /** For `createClient`. */
  readonly fetch: Fetch;
  /** Every request so far, retries included. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Says how an operation is answered: with the answer as it stands on the wire, typed by the operation, or with an
   * outcome such as {@link rateLimited}. Several are used in turn, and the last one from then on.
   */
  on<Name extends Route>(route: Name, ...outcomes: (RouteAnswers[Name] | MockedOutcome)[]): MockTransport;
}

/**
 * Makes a transport that answers without a network. What it was not told about is answered 501, which is not tried again.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export function createMockTransport(): MockTransport {
  const requests: RecordedRequest[] = [];
  const scripts = new Map<string, MockedOutcome[]>();
  const transport: MockTransport = {
    baseUrl: 'https://service.test',
    requests,
    on(route, ...outcomes) {
      scripts.set(
        route,
        outcomes.map((outcome) => (typeof outcome === 'function' ? outcome : answered(outcome))),
      );
      return transport;
    },
    async fetch(url, { method, headers, body, signal }) {
      const { pathname: path, searchParams } = new URL(url);
      const { authorization, ...shown } = headers;
      const { route = `${method} ${path}`, status = 200 } = findRoute(method, path) ?? {};
      const query = Object.fromEntries(searchParams);
      requests.push({ route, method, path, query, headers: shown, body: body === undefined ? body : JSON.parse(body) });
      const script = scripts.get(route) ?? [];
      const outcome = script.length > 1 ? script.shift() : script[0];
      if (outcome) return outcome({ url, status, signal });
      const message = `The mock transport was not told how to answer ${route}: call on('${route}', …)`;
      return Response.json({ error: { code: 'NOT_MOCKED', message } }, { status: 501 });
    },
  };
  return transport;
}
