import { readAnswer } from './answer.ts';
import { type ControlCall, controlCalls } from './calls.ts';

/** The control API as typed functions, one for each call. Each rejects with a `ControlError`. */
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

/** The address of the control API, and how to reach it. */
export interface ControlClientOptions {
  /** The server's URL, without `/_control`. */
  baseUrl: string;
  /** The server's `--admin-token`, if it has one. */
  adminToken?: string | undefined;
  /** Sends a request. Default: the global `fetch`. */
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
  return await readAnswer(baseUrl, async () => {
    const response = await fetchFrom(request);
    return { status: response.status, text: await response.text() };
  });
}
