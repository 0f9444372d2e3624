import type { HttpHandler } from 'msw';
import * as msw from 'msw';
import { ConfigError } from '../config/config.ts';
import { parseBaseUrl } from '../config/urls.ts';
import { createControlClient } from '../control-client/client.ts';
import { ConnectionCutError } from '../http/errors.ts';
import { createHandler, type IssuedCredential } from '../index.ts';
import { DEMO_ISSUED } from '../storage/seed/demo.ts';
import { type MockServiceOptions, toConfig } from '../testing/options.ts';
import { createTools, type MockServiceTools } from '../testing/tools.ts';

// No package manager checks the version of MSW, because this package lists MSW only in `peerDependenciesMeta`. If MSW
// were in `peerDependencies`, npm would refuse updates that conflict with the peer dependencies of the newest MSW.
if (!('http' in msw)) {
  throw new Error('@svc/mock-server/msw requires MSW 2 or later. Update msw, or use @svc/mock-server/testing.');
}

const { http, HttpResponse } = msw;

/** Options for a mock service without a socket. */
export interface MswMockServiceOptions extends Omit<MockServiceOptions, 'cors'> {
  /**
   * The handlers respond only to requests to this base URL. By default, the handlers respond to requests to any origin
   * if the path begins with `/v1`.
   */
  baseUrl?: string | undefined;
  /**
   * Receives the signed deliveries. If it throws, the attempt gets a 500 with the message of the error. If `onDelivery`
   * is set, deliveries do not use the network, and `allowNetwork` is `true` by default.
   */
  onDelivery?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** The whole service, reached through MSW's request handlers. `await using` closes the service. */
export interface MswMockService extends MockServiceTools, AsyncDisposable {
  /** The request handlers for MSW's `setupServer` or `server.use`. */
  readonly handlers: HttpHandler[];
  /** The credentials of the seed. */
  readonly credentials: readonly IssuedCredential[];
  /** Responds to a request directly, without MSW. Rejects if a fault cuts the connection. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const ANY_ORIGIN = /^https?:\/\/[^/]+\/v1(?:[/?#]|$)/;

/**
 * A mock service that is starting. You can use its handlers and functions immediately: each call waits until the
 * service has started. The demo credentials are available immediately, too. If you pass a seed or a database, await
 * this promise before you read `credentials`.
 */
export interface StartingMswMockService extends Promise<MswMockService>, MswMockService {}

/**
 * Creates the whole service in memory, without a socket. The service is the same server that `startMockService` starts.
 *
 * Await the returned promise. In a CommonJS module, which has no top-level await, use the promise as if it were the
 * service: pass its `handlers` to MSW, and call its functions.
 *
 * @throws ConfigError if an option cannot be used. In that case, the promise rejects, and MSW responds to each request
 *   with 500.
 */
export function createMockService(options: MswMockServiceOptions = {}): StartingMswMockService {
  const starting = start(options);
  const resolve: Parameters<typeof http.all>[1] = async ({ request }) => await (await starting).resolve(request);
  const base = options.baseUrl && `${options.baseUrl}`.replace(/\/+$/, '');
  const places = base === undefined ? [ANY_ORIGIN] : [`${base}/v1`, `${base}/v1/*`];
  const handlers = places.map((place) => http.all(place, resolve));
  const fetch = async (request: Request) => await (await starting).server.fetch(request);
  const close = async () => await (await starting).server.close();
  // The client calls `fetch` directly, so any base URL works.
  const tools = createTools(createControlClient({ baseUrl: 'http://service.test', fetch }));
  const service = { ...tools, handlers, fetch, close, [Symbol.asyncDispose]: close };
  // The service may generate the credentials of a seed, so these credentials are known only after the start.
  let known = options.seed === undefined && options.database === undefined ? DEMO_ISSUED : undefined;
  const started = starting.then(({ server: { credentials } }) => {
    known = credentials;
    return { ...service, credentials };
  });
  return Object.defineProperty(Object.assign(started, service, { credentials: [] }), 'credentials', {
    // Copying the service with `...` must not call the getter, which may throw.
    enumerable: known !== undefined,
    get() {
      if (known) return known;
      throw new TypeError('The credentials of a seed are known only after the start. Await createMockService() first.');
    },
  });
}

async function start({ baseUrl, onDelivery, allowNetwork = onDelivery && true, ...options }: MswMockServiceOptions) {
  const base = baseUrl === undefined ? undefined : parseBaseUrl(`${baseUrl}`, 'baseUrl');
  if (onDelivery !== undefined && typeof onDelivery !== 'function') {
    throw new ConfigError('onDelivery must be a function that receives a Request and returns a Response.');
  }
  const config = toConfig({ ...options, allowNetwork }, ['baseUrl', 'onDelivery']);
  const send = onDelivery && ((request: Request) => respond(onDelivery, request));
  const server = await createHandler({ ...config, publicUrl: base, send });
  return {
    server,
    async resolve(request: Request) {
      if (isPreflight(request)) return new HttpResponse(null, { status: 204, headers: corsHeaders(request) });
      try {
        const response = await server.fetch(base === undefined ? request : withoutBasePath(request, base));
        for (const [name, value] of corsHeaders(request)) response.headers.set(name, value);
        return response;
      } catch (error) {
        if (error instanceof ConnectionCutError) return HttpResponse.error();
        throw error;
      }
    },
  };
}

/** If `onDelivery` fails, returns a 500 with the reason, as a receiver does, so that a failed wait shows the reason. */
async function respond(onDelivery: NonNullable<MswMockServiceOptions['onDelivery']>, request: Request) {
  try {
    const response = await onDelivery(request);
    if (typeof response?.clone !== 'function') throw new TypeError('It must return a Response.');
    return response.bodyUsed ? response : response.clone(); // The next call may return the same response.
  } catch (error) {
    return new Response(`onDelivery failed: ${error instanceof Error ? error.message : error}`, { status: 500 });
  }
}

/** Removes the path of the base URL, because the server's paths begin with `/v1`. */
function withoutBasePath(request: Request, base: string): Request {
  const { origin, pathname } = new URL(base);
  if (pathname === '/') return request;
  return new Request(origin + request.url.slice(base.length), request);
}

/** jsdom and happy-dom send CORS preflights, as browsers do. */
const isPreflight = ({ method, headers }: Request) =>
  method === 'OPTIONS' && headers.has('access-control-request-method');

/** Allows every request from a test's page, because there is no data to protect. */
function corsHeaders({ headers }: Request): Headers {
  const origin = headers.get('origin');
  const asked = headers.get('access-control-request-headers');
  return new Headers({
    ...(origin && { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' }),
    ...(asked && { 'access-control-allow-headers': asked, 'access-control-allow-methods': 'GET, POST, PATCH, DELETE' }),
  });
}
