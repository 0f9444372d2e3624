import { readAnswer } from './answer.ts';
import type { Answer } from './attempt.ts';
import { type Call, createCall } from './call.ts';
import { ResponseError, UsageError } from './errors.ts';
import { exchange } from './exchange.ts';
import { pathWithId } from './ids.ts';
import { createList, type List, type ListOperation } from './list.ts';
import type { CallOptions } from './options.ts';
import { originOf } from './origin.ts';
import { createPage, type Page } from './page.ts';
import { searchOf } from './query.ts';
import type { Settings } from './settings.ts';

/** The methods of the service's operations. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A list whose parameters its own file types. */
type AnyListOperation<Item> = ListOperation<Item, [params?: object, options?: CallOptions]>;

/** Makes calls for one credential and, for a user's, one workspace. */
export interface Sender {
  settings: Settings;
  /**
   * The function that calls an operation: `(id?, body?, options?)`, as far as it takes them. `pick` is the field of the
   * answer that is the data: none where the answer is the data, null where there is no data.
   */
  bind<Bound>(method: Method, path: string, pick?: string | null, takesBody?: boolean): Bound;
  /** The function that calls an operation that lists. */
  bindList<Item>(path: string): AnyListOperation<Item>;
}

/** Makes the sender that every operation of a client or a workspace calls through. */
export function createSender(settings: Settings, workspaceId?: string): Sender {
  const { baseUrl, origin } = settings;

  async function start(
    method: Method,
    operation: string,
    path: string,
    options: CallOptions = {},
    query?: object,
    body?: unknown,
  ): Promise<Answer> {
    const url = path.startsWith('/') ? baseUrl + path + searchOf(query) : path;
    if (originOf(url) !== origin) throw new UsageError(`Not a URL of ${origin}: ${originOf(url)}`);
    const headers = new Headers(options.headers);
    headers.set('accept', 'application/json');
    if (body) headers.set('content-type', 'application/json');
    if (workspaceId) headers.set('service-workspace-id', workspaceId);
    return exchange(
      settings,
      { operation, method, url, headers, body: body ? JSON.stringify(body) : undefined },
      options,
    );
  }

  return {
    settings,
    bind<Bound>(method: Method, path: string, pick?: string | null, takesBody?: boolean) {
      const operation = `${method} ${path}`;
      const bound = (...args: unknown[]) => {
        const id = path.includes('{') && args.shift();
        const body = takesBody && args.shift();
        const run = async () => start(method, operation, pathWithId(path, id), args[0] as CallOptions, {}, body);
        // A write is under way before anyone awaits it.
        const sent = method !== 'GET' && run();
        return createCall(
          () => sent || run(),
          (answer) => readAnswer(settings, operation, answer, pick),
        );
      };
      return bound as Bound;
    },
    bindList<Item>(path: string): AnyListOperation<Item> {
      const operation = `GET ${path}`;
      const pageAt = (url: string, options: CallOptions | undefined, query?: object): Call<Page<Item>> =>
        createCall(
          () => start('GET', operation, url, options, query),
          async (answer) =>
            createPage(await readAnswer<Page<Item>>(settings, operation, answer), answer.info, async (next) => {
              if (next === url) throw new ResponseError('A page leads to itself', answer.info);
              return pageAt(next, options);
            }),
        );
      const list = (params?: object, options?: CallOptions): List<Item> => createList(pageAt(path, options, params));
      return Object.assign(list, {
        resume(url: string, options?: CallOptions): List<Item> {
          if (originOf(url) !== origin || !new URL(url).pathname.endsWith(path))
            throw new UsageError(`Not a page URL of ${path}: ${originOf(url)}`);
          return createList(pageAt(url, options));
        },
      });
    },
  };
}
