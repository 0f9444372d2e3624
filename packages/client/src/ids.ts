import { UsageError } from './errors.ts';

/**
 * Puts an id into a path in place of its `{parameter}`.
 *
 * Refused are texts that would make it another path: `encodeURIComponent` leaves `.` and `..` as they are, and URL
 * parsers resolve them.
 */
export function pathWithId(path: string, id: unknown): string {
  return path.replace(/{.*}/, () => {
    if (typeof id !== 'string' || /^\.{0,2}$|[/\\]/.test(id)) throw new UsageError(`Not an id: ${JSON.stringify(id)}`);
    return encodeURIComponent(id);
  });
}
