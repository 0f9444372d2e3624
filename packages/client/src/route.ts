import type { ID_PREFIXES, PARAMETER_KINDS } from '@svc/contract';

type Kinds = typeof PARAMETER_KINDS;
type PrefixOf<Name extends keyof Kinds> = (typeof ID_PREFIXES)[Kinds[Name]] extends `${infer Prefix}_` ? Prefix : never;

/**
 * The path parameter for each id prefix, from the contract. The object has no prototype, because a prefix may be any
 * word, even `constructor`.
 */
const PARAMETERS = {
  __proto__: null,
  wsp: 'workspaceId',
  whe: 'endpointId',
  whd: 'deliveryId',
  evt: 'eventId',
} as const satisfies { [Name in keyof Kinds as PrefixOf<Name>]: Name } & { __proto__: null };

/** Returns the path of a URL as the API reference writes it: without the query, and with parameters in place of ids. */
export function routeOf(url: string): string {
  const path = `${url}`.replace(/^[^?#]*?(?=\/v1\/)|[?#].*/g, '');
  return path.replace(/\/([a-z]+)_[^/]*/g, (_, prefix: keyof typeof PARAMETERS) => `/{${PARAMETERS[prefix] ?? 'id'}}`);
}
