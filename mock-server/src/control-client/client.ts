import { type ControlCall, controlCalls } from './calls.ts';
import { ControlError } from './error.ts';

/** The control API as typed functions, one for each call. Each rejects with a {@link ControlError}. */
export type ControlClient = {
  readonly [Name in keyof typeof controlCalls]: (typeof controlCalls)[Name] extends ControlCall<
    infer Input,
    infer Answer
  >
    ? Record<never, never> extends Input
      ? (input?: Input) => Promise<Answer>
      : (input: Input) => Promise<Answer>
    : never;
};

/** Where the control API is, and how to reach it. */
export interface ControlClientOptions {
  /** The server's URL, without `/_control`. */
  baseUrl: string;
  /** The server's `--admin-token`, if it has one. */
  adminToken?: string | undefined;
  /** Sends a request; the global `fetch` by default. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Creates the typed client of a server's control API. */
export function createControlClient(options: ControlClientOptions): ControlClient {
  const entries = Object.entries(controlCalls).map(([name, call]: [string, ControlCall<unknown, unknown>]) => [
    name,
    (input: Record<string, unknown> = {}) => send(options, call, input),
  ]);
  return Object.fromEntries(entries) as ControlClient;
}

async function send(
  { baseUrl, adminToken, fetch: fetchFrom = globalThis.fetch }: ControlClientOptions,
  { method, path, body: bodyField }: ControlCall<unknown, unknown>,
  input: Record<string, unknown>,
): Promise<unknown> {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${method} ${path} requires "${name}".`);
    return encodeURIComponent(value);
  });
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled);
  const hasBody = method === 'POST' || method === 'PUT';
  if (!hasBody) {
    for (const [name, value] of Object.entries(rest)) if (value != null) url.searchParams.set(name, String(value));
  }
  const request = new Request(url, {
    method,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
    },
    body: hasBody ? JSON.stringify(bodyField === undefined ? rest : rest[bodyField]) : null,
  });
  const { response, text } = await exchange(request, fetchFrom, baseUrl);
  const body = parse(text);
  if (response.ok && body !== undefined) return body;
  throw failure(response, body, baseUrl);
}

async function exchange(request: Request, fetchFrom: (request: Request) => Promise<Response>, baseUrl: string) {
  try {
    const response = await fetchFrom(request);
    return { response, text: await response.text() };
  } catch (cause) {
    throw new ControlError(`Cannot reach the server at ${baseUrl}. Is it running? Start it with: svc-mock start`, {
      code: 'UNREACHABLE',
      cause,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure({ status }: Response, body: unknown, baseUrl: string): ControlError {
  const { code, message } = Object(Object(body).error) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return new ControlError(String(message), { code, status, body });
  if (status === 408) return new ControlError('The condition was not met in time.', { code: 'TIMEOUT', status, body });
  return new ControlError(
    `${baseUrl} answered ${status} without the control API's error envelope. Is this the URL of svc-mock?`,
    { code: `HTTP_${status}`, status, body },
  );
}
