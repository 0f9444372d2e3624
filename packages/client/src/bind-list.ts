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
import { createPage, type Page } from './page.ts';
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

    /**
     * Requests the page at `url`. Creates the URL during the call, so that an invalid URL rejects the call. `trail` has
     * the name of the field that led to this page, and then the remembered URLs of the `number` pages before this page.
     */
    function callPage(
      url: () => string,
      options: CallOptions | undefined,
      trail: string[] = [],
      number = 0,
    ): Call<Page<Item>> {
      return createCall(
        operation,
        () => sender.send({ operation, url, options }),
        async (response) => {
          const page = await readResponse<Page<Item>>(settings, operation, response, 'all');
          return createPage(page, response, async (to) => {
            const next = page[to];
            if (!next) return null;
            const fail = (message: string) =>
              new ResponseError(message, response.info, { operation }, response.evidence());
            const found = resolveUrl(next, settings.address(), fail);
            const known = trail[0] === to ? trail : [to];
            const seen = [...known, url()];
            if (seen.includes(found)) throw fail('The list loops');
            // To limit memory use, remember the first 1000 URLs, and then one in 1000: enough to find every loop.
            const kept = number > 999 && number % 1000 ? known : seen;
            // A function that is created here would keep every page in memory.
            return callPage(String.bind(null, found), options, kept, number + 1);
          });
        },
      );
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
      const firstPage = callPage(firstUrl, options);
      const pageOfSize = (size?: number) => (size && !isFixed ? callPage(() => firstUrl(size), options) : firstPage);
      return createList(operation, pageOfSize);
    }

    function list(params?: ParamsOf<Name> & { limit?: unknown }, options?: CallOptions): List<Item> {
      // The list reads its parameters only when it is used, so copy the caller's object.
      const given = { ...params };
      const { limit } = given;
      // The error suggests `limit` first if no name is similar.
      const known = { limit: 1, ...names } as const;
      const firstUrl = (size?: number) => {
        checkNames(params, known, 'parameter');
        return settings.address().baseUrl + path + searchOf({ ...given, limit: limit ?? size });
      };
      return listFrom(firstUrl, options, limit !== undefined);
    }

    // Leave out `expand`: the stored URL already contains it, and the parameter affects only the item type.
    function resume(kept: string, { expand: _, ...options }: CallOptions & { expand?: unknown } = {}): List<Item> {
      const firstUrl = () => {
        const url = resolveUrl(`${kept}`, settings.address());
        check(routeOf(url) === path, `Not a page URL of ${path}`);
        return url;
      };
      return listFrom(firstUrl, options, true);
    }

    return Object.assign(list, { resume }) as never;
  };
}
