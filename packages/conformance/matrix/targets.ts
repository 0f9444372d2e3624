import { randomBytes } from 'node:crypto';
import { createHandler, startServer } from '@svc/mock-server';
import { createMockService } from '@svc/mock-server/msw';
import { setupServer } from 'msw/node';
import { EVERYTHING, type Target } from '../src/target.ts';
import { holdToForm } from './exact-form.ts';

/** A running target. */
export interface RunningTarget extends AsyncDisposable {
  target: Target;
}

/**
 * Returns a target for the reference server. A call fails if its response does not have exactly the form that the
 * reference server sends. Other services may send other forms that the service document allows.
 */
const targetAt = (name: string, url: string, send: Target['fetch'] = fetch): Target => ({
  name,
  baseUrl: url,
  controlUrl: `${url}/_control`,
  offers: EVERYTHING,
  fetch: holdToForm(send),
});

/** Starts the reference server with its embedded database. Calls use HTTP. */
export async function startSqlite(): Promise<RunningTarget> {
  const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
  return { target: targetAt('SQLite', server.url), [Symbol.asyncDispose]: () => server.close() };
}

/** Creates the reference server's `fetch` handler in this process. Calls do not use a socket. */
export async function startFetchHandler(): Promise<RunningTarget> {
  const handler = await createHandler({ dataDir: null, logLevel: 'silent' });
  const url = 'http://127.0.0.1:4010';
  return {
    target: targetAt('fetch handler', url, async (request) => await handler.fetch(request)),
    [Symbol.asyncDispose]: () => handler.close(),
  };
}

/** Starts MSW's request handlers in this process. Calls use the global `fetch`. */
export async function startMsw(): Promise<RunningTarget> {
  const service = await createMockService({ rateLimit: true, allowNetwork: true });
  const msw = setupServer(...service.handlers);
  msw.listen({ onUnhandledFrame: 'bypass' });
  const url = 'http://127.0.0.1:4010';
  return {
    // Call the service directly for the control API and the documents, because the handlers cover only the API.
    target: targetAt(
      'MSW',
      url,
      async (request) =>
        await (new URL(request.url).pathname.startsWith('/v1') ? fetch(request) : service.fetch(request)),
    ),
    async [Symbol.asyncDispose]() {
      msw.close();
      await service.close();
    },
  };
}

/** Starts servers that share the empty PostgreSQL database at `postgresUrl`. Calls go to each server in turn. */
export async function startPostgres(name: string, postgresUrl: string, nodes: number): Promise<RunningTarget> {
  await using cleanup = new AsyncDisposableStack();
  const masterKey = randomBytes(32).toString('base64');
  const servers = [];
  for (let node = 0; node < nodes; node++) {
    const config = { port: 0, dataDir: null, databaseUrl: postgresUrl, masterKey, logLevel: 'silent' };
    servers.push(cleanup.use(await startServer(config)));
  }
  const urls = servers.map(({ url }) => url);
  const [first = ''] = urls;
  let next = 0;
  const owned = cleanup.move();
  return {
    // Round-robin: each request goes to the next server, even if the request's URL names another server.
    target: targetAt(name, first, (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${urls[next++ % urls.length]}${pathname}${search}`, request));
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
