import { UsageError } from './errors.ts';

/**
 * Puts an id into a path in place of `{}`.
 *
 * Refused are texts that would make it another path: `encodeURIComponent` leaves `.` and `..` as they are, and URL
 * parsers resolve them.
 */
export function pathWithId(path: string, id: unknown): string {
  if (!path.includes('{}')) return path;
  if (typeof id !== 'string' || !id || id === '.' || id === '..' || /[/\\]/.test(id)) {
    throw new UsageError(`Not an id: ${typeof id === 'string' ? JSON.stringify(id) : typeof id}`);
  }
  return path.replace('{}', encodeURIComponent(id));
}
