import type { ListEnvelope } from '@svc/contract';
import type { CloserTypes } from './bind.ts';
import { type Call, createCall } from './call.ts';
import { check } from './check.ts';
import { ResponseError } from './errors.ts';
import { createList, type List, type ListOperation } from './list.ts';
import { checkNames, type Names } from './names.ts';
import type { ListOrganizations } from './operations/organizations.ts';
import type { CallOptions } from './options.ts';
import { resolveUrl } from './origin.ts';
import { createPage, type Following, type Page } from './page.ts';
import { searchOf } from './query.ts';
import { readResponse } from './response.ts';
import { routeOf } from './route.ts';
import type { ListRoute, RouteQueries, RouteResponses } from './routes.ts';
import type { Sender } from './sender.ts';

type ItemOf<Name extends ListRoute> = Name extends keyof CloserTypes
  ? CloserTypes[Name]
  : RouteResponses[Name] extends ListEnvelope<infer Item>
    ? Item
    : never;

/**
 * The names of a list's parameters. The operation's own file declares the types of the values. `page` is missing,
 * because only the service's page URLs contain it.
 */
type ParamsOf<Name extends ListRoute> = { [Key in Exclude<keyof RouteQueries[Name], 'page'>]?: unknown };

/** The lists whose item type depends on their parameters. */
interface CloserLists {
  'GET /v1/organizations': ListOrganizations;
}

/** The names of all parameters except `page` and `limit`. The compiler reports a missing name. */
type OwnParams<Name extends ListRoute> = Names<Exclude<keyof RouteQueries[Name] & string, 'page' | 'limit'>>;

/**
 * Returns the function that calls a list operation. The function's types come from `routes.ts`. `params` names the
 * parameters other than `limit`.
 */
export type BindList = <Name extends ListRoute>(
  route: Name,
  ...params: object extends OwnParams<Name> ? [] : [OwnParams<Name>]
) => Name extends keyof CloserLists
  ? CloserLists[Name]
  : ListOperation<ItemOf<Name>, [params?: ParamsOf<Name>, options?: CallOptions]>;

export function createBindList(sender: Sender): BindList {
  const { settings } = sender;
  return <Name extends ListRoute>(operation: Name, names?: Names) => {
    type Item = ItemOf<Name>;
    const path = operation.replace(/.* /, '');

    /** Requests the page at `url`. Creates the URL during the call, so that an invalid URL rejects the call. */
    function callPage(url: () => string, options: CallOptions | undefined): Call<Page<Item>> {
      return createCall(
        operation,
        () => sender.send({ operation, url, options }),
        async (response) => {
          const page = await readResponse<Page<Item>>(settings, operation, response, 'all');
          return createPage(page, response, (page, next) => follow(page, next, (found) => found === url(), options));
        },
      );
    }

    async function follow(
      page: Page<Item>,
      next: string | null,
      isSeen: (url: string) => boolean,
      options: CallOptions | undefined,
    ): Promise<Page<Item> | null> {
      if (!next) return null;
      const fail = (message: string) => new ResponseError(message, page.meta, { operation });
      const url = resolveUrl(next, settings.address(), fail);
      if (isSeen(url)) throw fail('The list loops');
      return callPage(always(url), options);
    }

    /**
     * Returns the list whose first page is at the URL that `firstUrl` returns. If `isFixed` is true, all uses of the
     * list share this first page.
     */
    function listFrom(
      firstUrl: (size?: number) => string,
      options: CallOptions | undefined,
      isFixed: boolean,
    ): List<Item> {
      const following: Following<Item> = (page, next, isSeen) => follow(page, next, isSeen, options);
      const firstPage = callPage(firstUrl, options);
      const pageOfSize = (size?: number) =>
        isFixed || size === undefined ? firstPage : callPage(() => firstUrl(size), options);
      return createList(operation, pageOfSize, firstUrl, following);
    }

    function list(params?: ParamsOf<Name> & { limit?: unknown }, options?: CallOptions): List<Item> {
      const limit = params?.limit;
      // `limit` comes first, because the error suggests the first names if no name is similar.
      const known = { limit: 1, ...names } as const;
      const firstUrl = (size?: number) => {
        checkNames(params, known, 'parameter');
        return settings.address().baseUrl + path + searchOf({ ...params, limit: limit ?? size });
      };
      return listFrom(firstUrl, options, limit !== undefined);
    }

    // Leave out `expand`: the stored URL already contains it, and the parameter affects only the item type.
    function resume(kept: string, { expand: _, ...options }: CallOptions & { expand?: unknown } = {}): List<Item> {
      const firstUrl = () => {
        const url = resolveUrl(kept, settings.address());
        check(routeOf(url) === path, `Not a page URL of ${path}`);
        return url;
      };
      return listFrom(firstUrl, options, true);
    }

    return Object.assign(list, { resume }) as never;
  };
}

/** Returns a function that returns `value`. A closure inside `follow` would keep every page in memory. */
function always<Value>(value: Value): () => Value {
  return () => value;
}
