import { readAnswer } from './answer.ts';
import type { Answer } from './attempt.ts';
import { type Call, createCall } from './call.ts';
import { check } from './check.ts';
import { ResponseError, UsageError } from './errors.ts';
import { exchange } from './exchange.ts';
import { pathWithId } from './ids.ts';
import { createList, type List, type ListOperation } from './list.ts';
import type { CallOptions } from './options.ts';
import { resolveUrl } from './origin.ts';
import { createPage, type Following, type Page } from './page.ts';
import type { ListParams } from './params.ts';
import { searchOf } from './query.ts';
import { routeOf } from './route.ts';
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
   * Calls an operation, by the name that the API reference has for it: `GET /v1/me`. What `url` throws, the call rejects with.
   * `pick` is the field of the answer that is the data: none if the answer is the data, empty if it may be empty too, null
   * if there is no data.
   */
  call<Data>(
    operation: string,
    url: () => string,
    pick?: string | null,
    options?: CallOptions,
    body?: unknown,
  ): Call<Data>;
  /** The function that calls an operation: `(id?, body?, options?)`, as far as the operation has them. */
  bind<Bound>(operation: string, pick?: string | null, hasBody?: boolean): Bound;
  /** The function that calls an operation that lists. */
  bindList<Item>(operation: string): AnyListOperation<Item>;
}

/** Makes the sender that every operation of a client or a workspace calls through. */
export function createSender(settings: Settings, workspaceId?: string): Sender {
  const { kind, baseUrl } = settings;

  async function start(
    operation: string,
    url: () => string,
    options: CallOptions = {},
    body?: unknown,
  ): Promise<Answer> {
    const headers = headersOf(options);
    check(
      kind !== 'apiKey' || !headers.has('Service-Workspace-Id'),
      'Service-Workspace-Id: an API key is bound to its workspace',
    );
    const agent = userAgent();
    if (agent && !headers.has('user-agent')) headers.set('user-agent', agent);
    headers.set('accept', 'application/json');
    if (body) headers.set('content-type', 'application/json');
    if (workspaceId) headers.set('Service-Workspace-Id', workspaceId);
    const [method] = operation.split(' ') as [Method, string];
    const init = { method, headers, body: body ? jsonOf(body) : null };
    return exchange(settings, { operation, url: url(), init }, options);
  }

  const sender: Sender = {
    settings,
    call(operation, url, pick, options, body) {
      // Sent before anyone awaits it, so that calls that are started together run together.
      const sent = start(operation, url, options, body);
      // A read that fails before it is awaited must not end the process. A write that fails unseen should.
      if (/^GET/.test(operation)) sent.catch(() => {});
      return createCall(
        operation,
        () => sent,
        (answer) => readAnswer(settings, operation, answer, pick),
      );
    },
    bind<Bound>(operation: string, pick?: string | null, hasBody?: boolean) {
      const [, path] = operation.split(' ') as [Method, string];
      const bound = (...args: unknown[]) => {
        const id = path.includes('{') && args.shift();
        const body = hasBody && args.shift();
        return sender.call(operation, () => baseUrl + pathWithId(path, id), pick, args[0] as CallOptions, body);
      };
      return bound as Bound;
    },
    bindList<Item>(operation: string): AnyListOperation<Item> {
      const [, path] = operation.split(' ') as [Method, string];
      const listAt = (firstUrl: (size?: number) => string, options?: CallOptions, isSized?: boolean): List<Item> => {
        // The URL of a first page is made when it is needed, so that what is wrong with it shows in the call.
        const pageAt = (url: () => string): Call<Page<Item>> =>
          createCall(
            operation,
            () => start(operation, url, options),
            async (answer) =>
              createPage(await readAnswer<Page<Item>>(settings, operation, answer), answer.info, (page, next) =>
                follow(page, next, (found) => found === url()),
              ),
          );
        const follow: Following<Item> = async (page, next, isSeen) => {
          if (!next) return null;
          const fail = (message: string) => new ResponseError(message, page.meta, { operation });
          const url = resolveUrl(next, settings, fail);
          if (isSeen(url)) throw fail('The list runs in a loop');
          return pageAt(always(url));
        };
        const first = pageAt(firstUrl);
        return createList(
          operation,
          (size) => (isSized || !size ? first : pageAt(() => firstUrl(size))),
          firstUrl,
          follow,
        );
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
              check(routeOf(url) === path, `Not a page URL of ${path}`);
              return url;
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
    throw new UsageError('headers contains a character that HTTP cannot carry');
  }
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new UsageError(`The body is not JSON: ${(error as Error).message}`);
  }
}

/** A function of its own, so that it holds on to nothing but the value: a list of many pages must not keep them all. */
function always<Value>(value: Value): () => Value {
  return () => value;
}
