import { UsageError } from './errors.ts';

/**
 * The prefix of each kind of id, in this order: organization, workspace, webhook endpoint, signing secret, delivery,
 * event, user, API key, personal access token, profile, notification.
 *
 * {@includeCode ../test/documented/ids.ts#prefix}
 */
export type IdPrefix = 'org' | 'wsp' | 'whe' | 'whs' | 'whd' | 'evt' | 'usr' | 'key' | 'pat' | 'prf' | 'ntf';

/**
 * The type of a parameter for one kind of id. Accepts any string, for example from a database or a route, except a
 * string that the compiler knows to be an id of another kind.
 *
 * {@includeCode ../test/documented/ids.ts#stored}
 */
export type IdParameter<Prefix extends IdPrefix, Given extends string> = Given extends `${IdPrefix}_${string}`
  ? Given extends `${Prefix}_${string}`
    ? Given
    : `${Prefix}_${string}`
  : Given;

/**
 * Whether `value` has the form of an id of this kind. Does not check whether the resource exists.
 *
 * {@includeCode ../test/documented/ids.ts#prefix}
 */
export function isId<Prefix extends IdPrefix>(prefix: Prefix, value: unknown): value is `${Prefix}_${string}` {
  return isSegment(value) && value.startsWith(`${prefix}_`) && value.length > prefix.length + 1;
}

/**
 * Whether a string is safe as one segment of a path. `.` and `..` are unsafe: `encodeURIComponent` keeps them, and URL
 * parsers resolve them. Characters outside printable ASCII are unsafe: no URL or header carries them unchanged.
 */
function isSegment(value: unknown): value is string {
  return typeof value === 'string' && !/^\.{0,2}$|[^ -.0-[\]-~]/.test(value);
}

/** Replaces the `{parameter}` in a path with an id. Throws {@link UsageError} if the id would change the path. */
export function pathWithId(path: string, id: unknown): string {
  return path.replace(/{.*}/, () => {
    if (isSegment(id)) return encodeURIComponent(id);
    // Show the value only if it is a string, because converting any other value may throw.
    throw new UsageError(`Not an id: ${typeof id === 'string' ? JSON.stringify(id) : typeof id}`);
  });
}
