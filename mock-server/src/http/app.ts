import {
  API_HEADERS,
  type OperationName,
  operations,
  REQUEST_HEADERS_MAX_BYTES,
  REQUEST_TARGET_MAX_LENGTH,
} from '@svc/contract';
import { type Context, Hono } from 'hono';
import { readSessions } from './authentication.ts';
import { allowOrigins, neverStored, refuseOwnRequests, requireHost } from './browser-access.ts';
import { registerControl } from './control/index.ts';
import { registerDashboard } from './dashboard/pages.ts';
import {
  ApiError,
  ConnectionCutError,
  invalidTarget,
  shuttingDown,
  toApiError,
  unavailable,
  validation,
} from './errors.ts';
import { incomingOf } from './incoming.ts';
import { injectFaults } from './inject-faults.ts';
import { registerMetrics } from './metrics.ts';
import { registerDocument } from './openapi-document.ts';
import { type Handler, honoPath, serveOperation } from './operation.ts';
import { note } from './request-log.ts';
import { handlers } from './routes/index.ts';
import type { Services } from './services.ts';

export function createApp(services: Services): Hono {
  const app = new Hono();

  app.use('*', async (c, next) => {
    const requestId = services.requestIds.nextBare();
    const startedAt = performance.now();
    c.set('requestId', requestId);
    c.header(API_HEADERS.requestId, requestId);
    if (services.draining()) throw shuttingDown();
    await services.limits.credentials.begin(c);
    const url = URL.parse(c.req.url);
    if (!url) throw invalidTarget();
    const { href, origin } = url;
    if (href.length - origin.length > REQUEST_TARGET_MAX_LENGTH) {
      throw new ApiError('URI_TOO_LONG', `Path and query exceed ${REQUEST_TARGET_MAX_LENGTH} characters.`);
    }
    checkPath(c);
    checkHeaders(c);
    await next();
    // Log the path without the query, which may contain search terms.
    services.logger.info(
      { ...aboutRequest(c), status: c.res.status, ms: Math.round(performance.now() - startedAt) },
      'request',
    );
  });

  app.onError((error, c) => {
    if (error instanceof ConnectionCutError) throw error;
    const response = toApiError(error);
    // A database that is unavailable can make every request fail, so log each reason at most once a minute.
    const isReason = response.code === 'UNAVAILABLE' && error.cause !== undefined;
    if (response.code === 'INTERNAL' || (isReason && services.isWarningDue(error.message))) {
      // If the client has disconnected, the error is not the server's fault.
      const level = c.req.raw.signal.aborted ? 'debug' : 'error';
      services.logger[level]({ ...aboutRequest(c), err: error }, 'request failed');
    }
    note(c, { responseBody: JSON.stringify(response.body) });
    return c.json(response.body, response.status, response.headers);
  });

  app.notFound((c) =>
    services.limits.credentials.take(c, async () => {
      const error = new ApiError('NOT_FOUND', `No such route: ${c.req.method} ${c.req.path}`);
      return c.json(error.body, error.status);
    }),
  );

  app.use('/v1/*', requireHost(services));
  allowOrigins(app, services.cors);
  if (!services.roles.includes('api')) app.use('/v1/*', refuseApi);
  app.use('/v1/*', readSessions(services));
  app.use('/v1/*', services.requestLog.record);
  app.use('/v1/*', injectFaults(services));
  registerOperations(app, services, { withParameters: false });
  // Register the 405 handlers of fixed paths first. Otherwise, `DELETE …/endpoints/event-types` would match the path
  // `…/endpoints/{endpointId}`.
  refuseOtherMethods(app);
  registerOperations(app, services, { withParameters: true });
  registerHealth(app, services);
  app.use('/_control/*', neverStored);
  refuseOwnRequests(app);
  registerMetrics(app, services);
  registerDocument(app, services);
  registerControl(app, services);
  registerDashboard(app, services);
  refuseOtherMethods(app);
  return app;
}

/** Matches dot segments, and backslashes, which URL parsers treat as slashes. */
const REWRITTEN = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)|\\/i;
/** Matches an encoded character in the first path segment, even if the request target is an absolute URL. */
const DISGUISED = /^(?:https?:\/\/[^/]*)?\/[^/]*%/i;

/**
 * Rejects disguised paths, which a proxy that hides `/_control` may not recognize. A URL parser removes dot segments,
 * and the router decodes paths, so `/v1/%2e%2e/_control` and `/%5fcontrol` mean `/_control`.
 */
function checkPath(c: Context): void {
  const [path = ''] = incomingOf(c)?.url?.split(/[?#]/, 1) ?? [];
  if (REWRITTEN.test(path)) throw validation('The path contains a backslash, or a segment that is "." or "..".');
  if (DISGUISED.test(path)) throw validation('The first segment of the path contains an encoded character.');
}

/** Checks only requests without a socket: if there is a socket, Node's parser has already limited the headers. */
function checkHeaders(c: Context): void {
  if (incomingOf(c)) return;
  let bytes = 0;
  for (const [name, value] of c.req.raw.headers) bytes += name.length + value.length + ': \r\n'.length;
  if (bytes > REQUEST_HEADERS_MAX_BYTES) {
    throw new ApiError('HEADERS_TOO_LARGE', `The headers exceed ${REQUEST_HEADERS_MAX_BYTES} bytes.`);
  }
}

const aboutRequest = (c: Context) => ({ requestId: c.get('requestId'), method: c.req.method, path: c.req.path });

/** Responds with 503, because a client would take a 404 to mean that the resource is gone. */
function refuseApi(): never {
  throw unavailable('This server does not serve the API. Call a server that runs with --roles api.');
}

function registerOperations(app: Hono, services: Services, { withParameters }: { withParameters: boolean }): void {
  for (const name of Object.keys(operations) as OperationName[]) {
    const { method, path } = operations[name];
    if (path.includes('{') !== withParameters) continue;
    app.on(method, honoPath(path), serveOperation(services, name, handlers[name] as Handler<OperationName>));
  }
}

function registerHealth(app: Hono, services: Services): void {
  app.get('/health/live', (c) => c.json({ status: 'ok' }));
  app.get('/health/ready', async (c) => {
    const problem = await services.limits.credentials.take(c, () => services.whyNotReady());
    if (problem === undefined) return c.json({ status: 'ok' });
    throw unavailable(problem);
  });
}

/** Responds with 405 to methods that a path does not support. Call this after all supported methods are registered. */
function refuseOtherMethods(app: Hono): void {
  for (const [path, routes] of Map.groupBy(app.routes, (route) => route.path)) {
    const methods = routes.map(({ method }) => method);
    // 405 handlers and middleware have the method `ALL`. After the last `ALL`, the routes have the path's own methods.
    const known = new Set(methods.slice(methods.lastIndexOf('ALL') + 1));
    if (known.size === 0) continue;
    app.all(path, (c) => {
      const allow = [...known, ...(known.has('GET') ? ['HEAD'] : [])].sort().join(', ');
      const message = `${c.req.path} does not support ${c.req.method}. Its methods are ${allow}.`;
      throw new ApiError('METHOD_NOT_ALLOWED', message, { Allow: allow });
    });
  }
}
