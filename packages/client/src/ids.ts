import { UsageError } from './errors.ts';

/**
 * Puts an id into a path in place of its `{parameter}`.
 *
 * Refused are texts that would make it another path: `encodeURIComponent` leaves `.` and `..` as they are, and URL
 * parsers resolve them. So is all but printable ASCII, which neither a URL nor a header carries as it is.
 */
export function pathWithId(path: string, id: unknown): string {
  return path.replace(/{.*}/, () => {
    if (typeof id === 'string' && !/^\.{0,2}$|[^ -.0-[\]-~]/.test(id)) return encodeURIComponent(id);
    // Only a text can surely be shown.
    throw new UsageError(`Not an id: ${typeof id === 'string' ? JSON.stringify(id) : typeof id}`);
  });
}
