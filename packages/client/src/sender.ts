import type { OperationName } from '@svc/contract';
import { readAnswer } from './answer.ts';
import { type Call, createCall, infoOf } from './call.ts';
import { ResponseError, UsageError } from './errors.ts';
import { exchange } from './exchange.ts';
import { pathWithId } from './ids.ts';
import { createList, type List, type ListOperation } from './list.ts';
import type { CallOptions } from './options.ts';
import { createPage, type Envelope, type Page } from './page.ts';
import { searchOf } from './query.ts';
import type { Settings } from './settings.ts';

/** What an operation needs to be called. */
export interface Operation {
  operation: OperationName | 'follow';
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Appended to the base URL; `{}` stands for the id. A whole URL is taken to the letter. */
  path: string;
  id?: unknown;
  query?: object | undefined;
  body?: unknown;
  /** The field of the answer that is the data; absent where the answer is the data, null where there is none. */
  pick?: string | null;
}

/** A list whose parameters its own file types. */
type AnyListOperation<Item> = ListOperation<Item, [params?: object, options?: CallOptions]>;

/** Makes calls for one credential and, for a user's, one workspace. */
export interface Sender {
  settings: Settings;
  call<Data>(operation: Operation, options?: CallOptions): Call<Data>;
  list<Item>(operation: OperationName, path: string): AnyListOperation<Item>;
}

/** Makes the sender that every operation of a client or workspace calls through. */
export function createSender(settings: Settings, workspaceId?: string): Sender {
  const start = async ({ operation, method, path, id, query, body }: Operation, options: CallOptions) =>
    exchange(
      settings,
      {
        operation,
        method,
        url: urlOf(settings, path, id, query),
        headers: {
          ...checkedHeaders(options.headers),
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(workspaceId === undefined ? {} : { 'service-workspace-id': workspaceId }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      },
      options,
    );

  function call<Data>(operation: Operation, options: CallOptions = {}): Call<Data> {
    const run = () => start(operation, options);
    // A write is under way before anyone awaits it.
    const sent = operation.method === 'GET' ? undefined : run();
    return createCall(
      () => sent ?? run(),
      (answer) => readAnswer<Data>(settings, operation, answer),
    );
  }

  function list<Item>(operation: OperationName, path: string): AnyListOperation<Item> {
    const pageAt = (url: string, query: object | undefined, options: CallOptions): Call<Page<Item>> => {
      const get: Operation = { operation, method: 'GET', path: url, query };
      return createCall(
        () => start(get, options),
        async (answer) => {
          const envelope = await readAnswer<Envelope<Item>>(settings, get, answer);
          return createPage(envelope, infoOf(answer), async (next) => {
            const { status, requestId } = answer;
            if (next === url)
              throw new ResponseError(`The page gives itself as its neighbour: ${next}`, { status, requestId });
            return pageAt(next, undefined, options);
          });
        },
      );
    };
    return Object.assign(
      (params?: object, options: CallOptions = {}): List<Item> => createList(pageAt(path, params, options)),
      {
        resume(url: string, options: CallOptions = {}): List<Item> {
          const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' };
          if (origin !== settings.origin || !pathname.endsWith(path)) {
            throw new UsageError(`Not a page URL of ${operation} at ${settings.origin}: ${url}`);
          }
          return createList(pageAt(url, undefined, options));
        },
      },
    );
  }

  return { settings, call, list };
}

/** The URL of an operation's path, or a whole URL to the letter if it is of the service's origin: no other gets the credential. */
function urlOf({ baseUrl, origin }: Settings, path: string, id: unknown, query: object | undefined): string {
  if (path.startsWith('/v1/')) return baseUrl + pathWithId(path, id) + searchOf(query);
  if (URL.canParse(path) && new URL(path).origin === origin) return path;
  throw new UsageError(`Not a URL of ${origin}: ${path}`);
}

function checkedHeaders(headers: Record<string, string> = {}): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new UsageError('headers has a name or a value that HTTP cannot carry');
  }
}
