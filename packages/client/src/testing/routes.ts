import { operations } from '@svc/contract';
import type { Route } from '../routes.ts';

interface KnownRoute {
  route: Route;
  status: number;
  pattern: RegExp;
}

/** The route of a request, with the ids in its path. */
interface FoundRoute extends Pick<KnownRoute, 'route' | 'status'> {
  params: Record<string, string>;
}

// Try paths without a parameter first, because `event-types` in `…/endpoints/event-types` is not an endpoint id.
const known: KnownRoute[] = Object.values(operations)
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ method, path, status }) => ({
    route: `${method} ${path}` as Route,
    status,
    pattern: new RegExp(`^${method} .*?${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));

/** Returns the route of a request, or undefined if the contract does not have this route. */
export function findRoute(method: string, pathname: string): FoundRoute | undefined {
  for (const { route, status, pattern } of known) {
    const found = pattern.exec(`${method} ${pathname}`);
    if (!found) continue;
    const ids = Object.entries(found.groups ?? {}).map(([name, id]) => [name, decodeURIComponent(id)]);
    return { route, status, params: Object.fromEntries(ids) };
  }
  return undefined;
}
