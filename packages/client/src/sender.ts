import { readAnswer } from './answer.ts';
import type { Answer } from './attempt.ts';
import { type Call, createCall } from './call.ts';
import { ResponseError, UsageError } from './errors.ts';
import { exchange } from './exchange.ts';
import { pathWithId } from './ids.ts';
import { createList, type List, type ListOperation } from './list.ts';
import type { CallOptions } from './options.ts';
import { ownUrl } from './origin.ts';
import { createPage, type Page } from './page.ts';
import type { ListParams } from './params.ts';
import { searchOf } from './query.ts';
import type { Settings } from './settings.ts';

/** The methods of the service's operations. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A list whose parameters its own file types. */
type AnyListOperation<Item> = ListOperation<Item, [params?: ListParams, options?: CallOptions]>;

/** Makes calls for one credential and, for a user's, one workspace. */
export interface Sender {
  /**
   * The function that calls an operation: `(id?, body?, options?)`, as far as it takes them. `pick` is the field of the
   * answer that is the data: none where the answer is the data, null where there is no data. `at` is the URL, where it
   * is not the operation's `path`.
   */
  bind<Bound>(method: Method, path: string, pick?: string | null, takesBody?: boolean, at?: string): Bound;
  /** The function that calls an operation that lists. */
  bindList<Item>(path: string): AnyListOperation<Item>;
}

/** Makes the sender that every operation of a client or a workspace calls through. */
export function createSender(settings: Settings, workspaceId?: string): Sender {
  const { kind, baseUrl, origin } = settings;

  async function start(
    method: Method,
    operation: string,
    url: string,
    options: CallOptions = {},
    body?: unknown,
  ): Promise<Answer> {
    ownUrl(url, origin);
    const headers = headersOf(options);
    if (kind === 'apiKey' && headers.has('service-workspace-id')) {
      throw new UsageError('An API key is bound to its workspace: leave Service-Workspace-Id out');
    }
    headers.set('accept', 'application/json');
    if (body) headers.set('content-type', 'application/json');
    if (workspaceId) headers.set('service-workspace-id', workspaceId);
    return exchange(settings, { operation, method, url, headers, body: body ? jsonOf(body) : undefined }, options);
  }

  /** The URL of a path; one that is a URL already stays as it is. */
  const absolute = (path: string) => (path.startsWith('/') ? baseUrl + path : path);

  return {
    bind<Bound>(method: Method, path: string, pick?: string | null, takesBody?: boolean, at = path) {
      const operation = `${method} ${path}`;
      const bound = (...args: unknown[]) => {
        const id = at.includes('{') && args.shift();
        const body = takesBody && args.shift();
        // Sent before anyone awaits it, so that calls that are started together run together.
        const sent = (async () =>
          start(method, operation, absolute(pathWithId(at, id)), args[0] as CallOptions, body))();
        // A read that fails before it is awaited must not end the process. A write that fails unseen should.
        if (method === 'GET') sent.catch(() => {});
        return createCall(
          operation,
          () => sent,
          (answer) => readAnswer(settings, operation, answer, pick),
        );
      };
      return bound as Bound;
    },
    bindList<Item>(path: string): AnyListOperation<Item> {
      const operation = `GET ${path}`;
      // The URL of a first page is made when it is needed, so that what is wrong with it shows in the call. Those that
      // follow are texts: a function would hold on to the page before, and that one to the page before it.
      const urlOf = (at: string | (() => string)) => (typeof at === 'string' ? absolute(at) : at());
      const pageAt = (at: string | (() => string), options: CallOptions | undefined): Call<Page<Item>> =>
        createCall(
          operation,
          async () => start('GET', operation, urlOf(at), options),
          async (answer) =>
            createPage(await readAnswer<Page<Item>>(settings, operation, answer), answer.info, async (next) => {
              const fail = (message: string) => new ResponseError(message, answer.info, { operation });
              if (next === urlOf(at)) throw fail('A page leads to itself');
              ownUrl(absolute(next), origin, fail);
              return pageAt(next, options);
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
        resume: (url: string, options?: CallOptions) =>
          listAt(
            () => {
              if (ownUrl(url, origin).pathname.endsWith(path)) return url;
              throw new UsageError(`Not a page URL of ${path}`);
            },
            options,
            true,
          ),
      });
    },
  };
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
