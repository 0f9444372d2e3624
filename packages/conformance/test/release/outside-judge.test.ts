import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { startServer } from '@svc/mock-server';
import { freePort } from '@svc/testing';
import { describe, expect, test } from 'vitest';
import { runStatements } from '../../src/run.ts';
import { statements } from '../../src/statements.ts';
import { EVERYTHING } from '../../src/target.ts';
import { startJudge } from '../support/judge.ts';

/** Statements whose requests Prism cannot pass on. */
const notThroughPrism = [
  // Prism parses each body and writes it again, and a body that is not JSON blocks it forever.
  'errors.body',
  'order.credential',
  'order.rate-limit',
  'order.body-type',
  'order.scope',
  'order.input',
  // Its own parser refuses long headers before they reach the service.
  'errors.headers',
  // The OpenAPI document has no HEAD, so Prism itself responds with 500.
  'errors.head',
  // The OpenAPI document has one expand, as the service document does. Only this server documents repeated ones.
  'input.repeated',
];

describe('the OpenAPI document, which Prism compares with every exchange', () => {
  test('matches every exchange in a run of all statements', async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    await using server = await startServer({ port: 0, dataDir: null, logLevel: 'silent', publicUrl });
    const upstream = `http://127.0.0.1:${server.port}`;
    const document = await (await fetch(`${upstream}/openapi.json`)).text();
    await using judge = await startJudge(document, upstream, port);

    const results = await runStatements(
      {
        name: 'Prism',
        baseUrl: judge.url,
        controlUrl: `${upstream}/_control`,
        offers: EVERYTHING,
        fetch: (request) => (request.url.startsWith(judge.url) ? judge.fetch(request) : fetch(request)),
      },
      statements.filter(({ id }) => !notThroughPrism.includes(id)),
    );

    expect(results.flatMap(({ statement, reason }) => (reason ? [`${statement.id}: ${reason}`] : []))).toEqual([]);
    expect(judge.objections).toEqual([]);
    expect(unanswered(document, judge.answered)).toEqual([]);
  });

  test('does not match a response of another shape, a path it does not have, or a request it forbids', async () => {
    const document = await documentOfServer();
    await using service = await serve((request, response) => {
      const isMe = request.url?.startsWith('/v1/me');
      const body = isMe ? { credential: 'none', user: null } : { data: [], nextPageUrl: null, previousPageUrl: null };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
    await using judge = await startJudge(document, service.url, await freePort());

    const ask = async (path: string) => {
      judge.objections.length = 0;
      await judge.fetch(new Request(`${judge.url}${path}`, { headers: { authorization: 'Bearer svc_pat_test_x' } }));
      return judge.objections;
    };
    expect(await ask('/v1/workspaces')).toEqual([]);
    expect(await ask('/v1/me')).toContain(
      "GET /v1/me 200: response.body: Response body must have required property 'workspace'",
    );
    expect(await ask('/v1/secrets')).toEqual(['GET /v1/secrets 200: request: Selected route not found']);
    expect(await ask('/v1/workspaces?limit=0')).toEqual([
      'GET /v1/workspaces 200: request.query.limit: Request query parameter limit must be >= 1',
    ]);
  });
});

async function documentOfServer(): Promise<string> {
  await using server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
  return await (await fetch(`${server.url}/openapi.json`)).text();
}

/** The operations of the document that no exchange answered with success, as `GET /v1/me 200`. */
function unanswered(document: string, answered: ReadonlySet<string>): string[] {
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, { responses: object }>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const [success] = Object.keys(responses);
      const expected = new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/ ]+')} ${success}$`);
      return [...answered].some((exchange) => expected.test(exchange)) ? [] : [`${method} ${path} ${success}`];
    }),
  );
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
