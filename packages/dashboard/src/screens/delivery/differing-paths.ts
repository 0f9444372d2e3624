/**
 * A path at which two documents differ, with the value in each document. A value is `undefined` if its document has
 * nothing at the path.
 */
export interface Difference {
  /** A JSONPath (RFC 9535), for example `$.errors[0].code`. */
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** The maximum depth of the comparison. Values at this depth are compared as a whole. */
const DEPTH_MAX = 100;

/**
 * Returns at most `max` differences, in the order of the first document, or `undefined` if one of the documents is not
 * JSON.
 */
export function differingPaths(before: string, after: string, max = 50): Difference[] | undefined {
  const found: Difference[] = [];
  const compare = (a: unknown, b: unknown, path: string, depth: number): void => {
    if (found.length >= max || a === b) return;
    if (depth < DEPTH_MAX && isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        compare(own(a, key), own(b, key), path + (Array.isArray(a) ? `[${key}]` : memberOf(key)), depth + 1);
      }
      return;
    }
    const [left, right] = [textOf(a), textOf(b)];
    if (left !== right) found.push({ path, before: left, after: right });
  };
  try {
    compare(JSON.parse(before), JSON.parse(after), '$', 0);
  } catch {
    return undefined;
  }
  return found;
}

/**
 * Returns the value of the object's own property `key`, and `undefined` for an inherited property, such as
 * `__proto__`.
 */
const own = (value: Record<string, unknown>, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const memberOf = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
