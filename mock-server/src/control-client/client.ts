import {
  type ControlBodyOf,
  type ControlOperation,
  type ControlOperationName,
  type ControlParams,
  type ControlQueryOf,
  type ControlResponseOf,
  controlOperations,
  type PathParameters,
} from '@svc/contract/control';
import type { NewEventInput, NewEventsInput, TriggeredEvent, TriggeredEvents } from '@svc/contract/control/resources';
import { readResponse } from './response.ts';

type Table = typeof controlOperations;

type CallName = {
  [Name in ControlOperationName]: Table[Name] extends { mediaType: string } ? never : Name;
}[ControlOperationName];

/** The path parameters, the query and the body of an operation in one object. */
type InputOf<Name extends CallName> = Record<PathParameters<Table[Name]['path']>, string> &
  Fields<ControlQueryOf<Name>> &
  (Table[Name] extends { streamed: infer Field extends string }
    ? Record<Field, ControlBodyOf<Name>>
    : Fields<ControlBodyOf<Name>>);
type Fields<Value> = Value extends undefined ? unknown : Value;

type Call<Input, Result> =
  Record<never, never> extends Input ? (input?: Input) => Promise<Result> : (input: Input) => Promise<Result>;

/** The control API as typed functions, one for each operation. A call that fails rejects with a `ControlError`. */
export type ControlClient = {
  readonly [Name in Exclude<CallName, 'createEvent'>]: Call<InputOf<Name>, ControlResponseOf<Name>>;
} & {
  createEvent(input: NewEventInput): Promise<TriggeredEvent>;
  /** Creates several events with one request. */
  createEvents(input: NewEventsInput): Promise<TriggeredEvents>;
};

/** The address of the control API, and the way to send requests to it. */
export interface ControlClientOptions {
  /** The server's URL, without `/_control`. */
  baseUrl: string;
  /** The server's `--admin-token`, if the server has one. */
  adminToken?: string | undefined;
  /** Sends a request. Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Creates the typed client of a server's control API. Throws a TypeError if a header cannot contain the admin token. */
export function createControlClient(options: ControlClientOptions): ControlClient {
  // Without this check, `fetch` would throw an error that quotes the token.
  if (/[^\x21-\x7e]/.test(options.adminToken ?? '')) throw new TypeError(INVALID_TOKEN);
  const call = (name: string) => (input?: object) => send(options, name as ControlOperationName, input);
  const client = Object.fromEntries(Object.keys(controlOperations).map((name) => [name, call(name)]));
  return { ...client, createEvents: client['createEvent'] } as unknown as ControlClient;
}

const INVALID_TOKEN = 'The admin token contains white space or another character that no admin token can contain.';

async function send(
  { baseUrl, adminToken, fetch: fetchFrom = globalThis.fetch }: ControlClientOptions,
  name: ControlOperationName,
  input: object = {},
): Promise<unknown> {
  const { method, path, streamed }: ControlOperation = controlOperations[name];
  const url = new URL(baseUrl.replace(/\/+$/, '') + controlPath(name, input as ControlParams<typeof name>));
  const rest = Object.fromEntries(Object.entries(input).filter(([field]) => !path.includes(`{${field}}`)));
  const hasBody = method === 'POST' || method === 'PUT';
  if (!hasBody) {
    for (const [name, value] of Object.entries(rest)) if (value != null) url.searchParams.set(name, String(value));
  }
  const request = new Request(url, {
    method,
    headers: {
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
    },
    // The control API never redirects, so a redirect would lead to another server.
    redirect: 'manual',
    body: hasBody ? JSON.stringify(streamed === undefined ? rest : rest[streamed]) : null,
  });
  return await readResponse(baseUrl, adminToken, async () => {
    const response = await fetchFrom(request);
    return { status: response.status, text: await response.text() };
  });
}

/** Throws a TypeError if a path parameter is missing. */
export function controlPath<Name extends ControlOperationName>(
  name: Name,
  ...[params]: Record<never, never> extends ControlParams<Name> ? [] : [params: ControlParams<Name>]
): string {
  const { method, path } = controlOperations[name];
  return path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => {
    const value = (params as Readonly<Record<string, unknown>> | undefined)?.[parameter];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${method} ${path} requires "${parameter}".`);
    return encodeURIComponent(value);
  });
}
