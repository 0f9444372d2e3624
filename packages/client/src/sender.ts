import { readAnswer } from './answer.ts';
import type { Answer } from './attempt.ts';
import { type Call, createCall } from './call.ts';
import { ResponseError, UsageError } from './errors.ts';
import { exchange } from './exchange.ts';
import { pathWithId } from './ids.ts';
import { createList, type List, type ListOperation } from './list.ts';
import type { CallOptions } from './options.ts';
import { resolveUrl } from './origin.ts';
import { createPage, type Page } from './page.ts';
import type { ListParams } from './params.ts';
import { searchOf } from './query.ts';
import type { Settings } from './settings.ts';
import { userAgent } from './user-agent.ts';

/**
 * A method of HTTP.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A list whose parameters its own file types. */
type AnyListOperation<Item> = ListOperation<Item, [params?: ListParams, options?: CallOptions]>;

/** Makes calls for one credential and, for a user's, one workspace. */
export interface Sender {
  readonly settings: Settings;
  /**
   * Calls the operation that the API reference names by `method` and `path`. What `url` throws, the call rejects with.
   * `pick` is the field of the answer that is the data: none if the answer is the data, empty if it may be empty too, null
   * if there is no data.
   */
  call<Data>(
    method: Method,
    path: string,
    url: () => string,
    pick?: string | null,
    options?: CallOptions,
    body?: unknown,
  ): Call<Data>;
  /** The function that calls an operation: `(id?, body?, options?)`, as far as the operation has them. */
  bind<Bound>(method: Method, path: string, pick?: string | null, hasBody?: boolean): Bound;
  /** The function that calls an operation that lists. */
  bindList<Item>(path: string): AnyListOperation<Item>;
}

/** Makes the sender that every operation of a client or a workspace calls through. */
export function createSender(settings: Settings, workspaceId?: string): Sender {
  const { kind, baseUrl } = settings;

  async function start(
    method: Method,
    operation: string,
    url: () => string,
    options: CallOptions = {},
    body?: unknown,
  ): Promise<Answer> {
    const headers = headersOf(options);
    if (kind === 'apiKey' && headers.has('service-workspace-id')) {
      throw new UsageError('An API key is bound to its workspace: leave Service-Workspace-Id out');
    }
    const agent = userAgent();
    if (agent && !headers.has('user-agent')) headers.set('user-agent', agent);
    headers.set('accept', 'application/json');
    if (body) headers.set('content-type', 'application/json');
    if (workspaceId) headers.set('service-workspace-id', workspaceId);
    const request = { operation, method, url: url(), headers, body: body ? jsonOf(body) : undefined };
    return exchange(settings, request, options);
  }

  const sender: Sender = {
    settings,
    call(method, path, url, pick, options, body) {
      const operation = `${method} ${path}`;
      // Sent before anyone awaits it, so that calls that are started together run together.
      const sent = start(method, operation, url, options, body);
      // A read that fails before it is awaited must not end the process. A write that fails unseen should.
      if (method === 'GET') sent.catch(() => {});
      return createCall(
        operation,
        () => sent,
        (answer) => readAnswer(settings, operation, answer, pick),
      );
    },
    bind<Bound>(method: Method, path: string, pick?: string | null, hasBody?: boolean) {
      const bound = (...args: unknown[]) => {
        const id = path.includes('{') && args.shift();
        const body = hasBody && args.shift();
        return sender.call(method, path, () => baseUrl + pathWithId(path, id), pick, args[0] as CallOptions, body);
      };
      return bound as Bound;
    },
    bindList<Item>(path: string): AnyListOperation<Item> {
      const operation = `GET ${path}`;
      // The URL of a first page is made when it is needed, so that what is wrong with it shows in the call. Those that
      // follow are texts: a function would hold on to the page before, and that one to the page before it.
      const urlOf = (at: string | (() => string)) => (typeof at === 'string' ? at : at());
      const pageAt = (at: string | (() => string), options: CallOptions | undefined): Call<Page<Item>> =>
        createCall(
          operation,
          () => start('GET', operation, () => urlOf(at), options),
          async (answer) =>
            createPage(await readAnswer<Page<Item>>(settings, operation, answer), answer.info, async (next) => {
              const fail = (message: string) => new ResponseError(message, answer.info, { operation });
              const url = resolveUrl(next, settings, fail);
              if (url === urlOf(at)) throw fail('A page leads to itself');
              return pageAt(url, options);
            }),
        );
      const listAt = (url: (size?: number) => string, options?: CallOptions, isSized?: boolean): List<Item> => {
        const first = pageAt(url, options);
        return createList(operation, (size) => (isSized || !size ? first : pageAt(() => url(size), options)), url);
      };
      const list = (params?: ListParams, options?: CallOptions) => {
        const limit = params?.limit;
        const url = (size?: number) => baseUrl + path + searchOf({ ...params, limit: limit ?? size });
        // If the caller gives a limit, every use of the list starts with the same page.
        return listAt(url, options, limit !== undefined);
      };
      return Object.assign(list, {
        resume: (kept: string, options?: CallOptions) =>
          listAt(
            () => {
              const url = resolveUrl(kept, settings);
              if (new URL(url).pathname.endsWith(path)) return url;
              throw new UsageError(`Not a page URL of ${path}`);
            },
            options,
            true,
          ),
      });
    },
  };
  return sender;
}

/** The caller's headers. What the runtime throws of one that HTTP cannot carry would show it. */
function headersOf({ headers }: CallOptions): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new UsageError('headers: HTTP cannot carry one of these names or values');
  }
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new UsageError(`The body cannot be written as JSON: ${(error as Error).message}`);
  }
}
