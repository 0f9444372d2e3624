import { type Server, type ServerConfig, startServer } from '../../src/index.ts';
import { demoSeed } from '../../src/storage/seed/demo.ts';
import { createTestDatabase, onPostgres } from './database.ts';
import { requireDocumented } from './documented-statuses.ts';

/** Servers of one fleet on PostgreSQL need the same master key. */
export const TEST_MASTER_KEY = Buffer.alloc(32, 'test').toString('base64');

/** The shortest admin token: 32 characters. */
export const TEST_ADMIN_TOKEN = 'let-me-in-with-thirty-two-letter';

/** A call's response, its body parsed. */
export interface ApiResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface CallOptions {
  credential?: string;
  workspaceId?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The exact bytes of the body, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>;
}

/** A server for one test, and calls to it over HTTP. */
export interface TestApi extends AsyncDisposable {
  server: Server;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare whole responses; their shape is what they assert.
  call<Body = any>(method: string, path: string, options?: CallOptions): Promise<ApiResponse<Body>>;
}

/** Starts a server on a fresh database of the kind that this run tests, unless the options name one. */
export async function startApi(options: Partial<ServerConfig> = {}): Promise<TestApi> {
  await using cleanup = new AsyncDisposableStack();
  const named = options.databaseUrl !== undefined || options.dataDir != null;
  const database = onPostgres && !named ? cleanup.use(await createTestDatabase()) : undefined;
  const server = await startServer({
    port: 0,
    dataDir: null,
    logLevel: 'silent',
    // Without the demo's profiles, because their evaluation at midnight adds an event to those that a test counts.
    ...(!options.strict && { seed: demoSeed }),
    ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
    ...options,
  });
  cleanup.defer(() => server.close());
  const owned = cleanup.move();
  return {
    server,
    async call(method, path, { credential, workspaceId, headers, body, rawBody } = {}) {
      const response = await fetch(new URL(path, server.url), {
        method,
        headers: {
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
          ...(workspaceId !== undefined && { 'service-workspace-id': workspaceId }),
          ...((body !== undefined || isControlWrite(method, path)) && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: rawBody ?? (body === undefined ? null : JSON.stringify(body)),
      });
      requireDocumented(method, path, response.status);
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The control API requires the type of JSON even without a body. */
const isControlWrite = (method: string, path: string) => method !== 'GET' && path.startsWith('/_control');

/** The body of an error response. */
export const failure = (code: string, message: unknown) => ({ error: { code, message } });
