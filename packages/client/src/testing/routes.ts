import { operations } from '@svc/contract';
import type { Route } from '../routes.ts';

/** What the contract says of a route. */
interface KnownRoute {
  route: Route;
  status: number;
  pattern: RegExp;
}

// Paths without a parameter first: `…/endpoints/event-types` is none of the endpoints.
const known: KnownRoute[] = Object.values(operations)
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ method, path, status }) => ({
    route: `${method} ${path}` as Route,
    status,
    pattern: new RegExp(`^${method} .*?${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The route that a request is on. */
export function findRoute(method: string, pathname: string): KnownRoute | undefined {
  return known.find(({ pattern }) => pattern.test(`${method} ${pathname}`));
}
