import type { WholeResponse } from './attempt.ts';
import { type Call, createCall } from './call.ts';
import { check } from './check.ts';
import { UsageError } from './errors.ts';
import { exchange } from './exchange.ts';
import { CALL_OPTIONS, checkNames, type Names } from './names.ts';
import type { CallOptions } from './options.ts';
import { readResponse, type Take } from './response.ts';
import type { Settings } from './settings.ts';
import { userAgent } from './user-agent.ts';

/**
 * An HTTP method.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The request of a call. */
interface Outgoing {
  /** The operation's name in the API reference, for example `GET /v1/me`. */
  operation: string;
  /** Returns the URL. If this function throws, the call rejects with its error. */
  url: () => string;
  body?: unknown;
  options?: CallOptions | undefined;
  /** The names of the operation's options that {@link CallOptions} does not contain. */
  moreOptions?: Names;
}

/** Makes calls with one credential. The sender of a user's client can be bound to one workspace. */
export interface Sender {
  readonly settings: Settings;
  send(outgoing: Outgoing): Promise<WholeResponse>;
  /** Calls an operation immediately. */
  call<Data>(outgoing: Outgoing, take: Take): Call<Data>;
}

export function createSender(settings: Settings, workspaceId?: string): Sender {
  async function send({ operation, url, body, options = {}, moreOptions }: Outgoing): Promise<WholeResponse> {
    checkNames(options, { ...CALL_OPTIONS, ...moreOptions }, 'option');
    const headers = headersOf([userAgent(), ...settings.headers, options.headers]);
    check(
      settings.kind !== 'apiKey' || !headers.has('Service-Workspace-Id'),
      'An API key cannot set Service-Workspace-Id',
    );
    headers.set('accept', 'application/json');
    if (body) headers.set('content-type', 'application/json');
    if (workspaceId) headers.set('Service-Workspace-Id', workspaceId);
    const method = operation.replace(/ .*/, '');
    check(!body || method !== 'GET', 'GET has no body');
    const init = { method, headers, body: body ? jsonOf(body) : null };
    return exchange(settings, { operation, url: url(), init }, options);
  }

  function call<Data>(outgoing: Outgoing, take: Take): Call<Data> {
    const { operation } = outgoing;
    // Send the request immediately, so that calls that are created together run in parallel.
    const sent = send(outgoing);
    let isUsed = false;
    if (/^GET/.test(operation)) ignoreUnused(sent, () => isUsed);
    const use = () => {
      isUsed = true;
      return sent;
    };
    return createCall(operation, use, (response) => readResponse<Data>(settings, operation, response, take));
  }

  return { settings, send, call };
}

/**
 * Ignores the failure of a GET that nobody awaits. An unnoticed failure of any other call should end the process. Adds
 * a handler only if nobody awaits the call within two microtasks: a second handler would make V8 omit the caller from
 * the error's stack.
 */
function ignoreUnused(sent: Promise<WholeResponse>, isUsed: () => boolean): void {
  const ignoreFailure = () => {
    if (!isUsed()) sent.catch(() => {});
  };
  queueMicrotask(() => queueMicrotask(ignoreFailure));
}

/**
 * Merges the caller's headers. Later headers replace earlier headers of the same name. The runtime's error would show
 * the invalid value, so this function throws its own error.
 */
function headersOf(all: readonly CallOptions['headers'][]): Headers {
  const headers = new Headers();
  try {
    for (const given of all) for (const [name, value] of new Headers(given)) headers.set(name, value);
    return headers;
  } catch {
    throw new UsageError('headers contains an invalid character');
  }
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new UsageError(`The body is not JSON: ${(error as Error).message}`);
  }
}
