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
 * An HTTP method.
 *
 * {@includeCode ../test/documented/requests.ts#unknown}
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A list operation with the parameters that all lists have. Each operation's own file types the rest. */
type AnyListOperation<Item> = ListOperation<Item, [params?: ListParams, options?: CallOptions]>;

/** Makes calls with one credential. A user's sender can be bound to one workspace. */
export interface Sender {
  readonly settings: Settings;
  /**
   * Calls an operation, by its name in the API reference, for example `GET /v1/me`. If `url` throws, the call rejects with
   * that error. `pick` is the field of the answer that holds the data. Leave it out if the whole answer is the data. Use an
   * empty text if the answer may also be empty, and null if there is no data.
   */
  call<Data>(
    operation: string,
    url: () => string,
    pick?: string | null,
    options?: CallOptions,
    body?: unknown,
  ): Call<Data>;
  /** Returns the function that calls an operation. It takes those of `(id?, body?, options?)` that the operation has. */
  bind<Bound>(operation: string, pick?: string | null, hasBody?: boolean): Bound;
  /** Returns the function that calls a list operation. */
  bindList<Item>(operation: string): AnyListOperation<Item>;
}

/** Creates the sender that every operation of a client or a workspace uses. */
export function createSender(settings: Settings, workspaceId?: string): Sender {
  const { kind, baseUrl } = settings;

  async function start(
    operation: string,
    url: () => string,
    options: CallOptions = {},
    body?: unknown,
  ): Promise<Answer> {
    const headers = headersOf(options);
    check(kind !== 'apiKey' || !headers.has('Service-Workspace-Id'), 'An API key cannot set Service-Workspace-Id');
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
      // Send before anyone awaits it, so that calls that start together run together.
      const sent = start(operation, url, options, body);
      // A read that fails before anyone awaits it must not end the process. A write that fails unnoticed should.
      // But not if it is awaited at once: V8 shows the caller in the stack of an error only if nothing else waits for it.
      let used: unknown;
      if (/^GET/.test(operation)) queueMicrotask(() => queueMicrotask(() => used || sent.catch(() => {})));
      return createCall(
        operation,
        () => (used = sent),
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
        // Create the first page's URL only when it is needed, so that the call reports what is wrong with it.
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
          if (isSeen(url)) throw fail('The list loops');
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

/** The caller's headers. The runtime's error for an invalid header would show the header, so this throws another. */
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

/** A separate function, so that the closure keeps only the value. A list of many pages must not keep them all. */
function always<Value>(value: Value): () => Value {
  return () => value;
}
