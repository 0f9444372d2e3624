import { type Server, type ServerConfig, startServer } from '../src/index.ts';

/** A call's answer, its body parsed. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface CallOptions {
  credential?: string;
  workspaceId?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body to the byte, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>;
}

/** A server of the test's own, and calls to it over HTTP. */
export interface TestApi extends AsyncDisposable {
  server: Server;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare whole answers; their shape is what they assert.
  call<Body = any>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>;
}

export async function startApi(options: Partial<ServerConfig> = {}): Promise<TestApi> {
  const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent', ...options });
  return {
    server,
    async call(method, path, { credential, workspaceId, headers, body, rawBody } = {}) {
      const response = await fetch(new URL(path, server.url), {
        method,
        headers: {
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
          ...(workspaceId !== undefined && { 'service-workspace-id': workspaceId }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: rawBody ?? (body === undefined ? null : JSON.stringify(body)),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The body of an error answer. */
export const failure = (code: string, message: unknown) => ({ error: { code, message } });
