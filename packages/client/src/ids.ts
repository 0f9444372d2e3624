import { UsageError } from './errors.ts';

/**
 * What ids begin with, by their kind: organization, workspace, webhook endpoint, signing secret, delivery, event, user,
 * API key, personal access token, profile, notification.
 *
 * {@includeCode ../test/documented/ids.ts#prefix}
 */
export type IdPrefix = 'org' | 'wsp' | 'whe' | 'whs' | 'whd' | 'evt' | 'usr' | 'key' | 'pat' | 'prf' | 'ntf';

/**
 * An id of one kind, as a parameter takes it: any text, for example from a database or a route, but not one that is known
 * to be an id of another kind.
 *
 * {@includeCode ../test/documented/ids.ts#stored}
 */
export type IdParameter<Prefix extends IdPrefix, Given extends string> = Given extends `${IdPrefix}_${string}`
  ? Given extends `${Prefix}_${string}`
    ? Given
    : `${Prefix}_${string}`
  : Given;

/**
 * Whether `value` is an id of one kind. It does not tell whether there is such a resource.
 *
 * {@includeCode ../test/documented/ids.ts#prefix}
 */
export function isId<Prefix extends IdPrefix>(prefix: Prefix, value: unknown): value is `${Prefix}_${string}` {
  return isSegment(value) && value.startsWith(`${prefix}_`) && value.length > prefix.length + 1;
}

/**
 * Whether a text stays one segment of a path. `.` and `..` do not: `encodeURIComponent` leaves them, and URL parsers resolve
 * them. Neither does anything but printable ASCII, which neither a URL nor a header carries unchanged.
 */
function isSegment(value: unknown): value is string {
  return typeof value === 'string' && !/^\.{0,2}$|[^ -.0-[\]-~]/.test(value);
}

/** Puts an id into a path in place of its `{parameter}`; throws {@link UsageError} if it would become another path. */
export function pathWithId(path: string, id: unknown): string {
  return path.replace(/{.*}/, () => {
    if (isSegment(id)) return encodeURIComponent(id);
    // Only a text can be shown safely.
    throw new UsageError(`Not an id: ${typeof id === 'string' ? JSON.stringify(id) : typeof id}`);
  });
}
