import { inspect } from 'node:util';

/** Every string that could reveal `value`: printed, serialized, thrown, or inspected by a reporter. */
export function textsOf(value: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const visit = (current: unknown) => {
    if (typeof current === 'string') texts.push(current);
    if ((typeof current !== 'object' && typeof current !== 'function') || current === null || seen.has(current)) return;
    seen.add(current);
    texts.push(inspect(current, { depth: Number.POSITIVE_INFINITY, showHidden: true }));
    texts.push(
      attempt(() => JSON.stringify(current)),
      attempt(() => `${current}`),
    );
    if (current instanceof Headers) for (const entry of current) visit(entry);
    else if (current instanceof Request || current instanceof Response) visit([current.url, current.headers]);
    else
      for (const key of Reflect.ownKeys(current)) {
        texts.push(String(key));
        visit(Reflect.get(current, key));
      }
  };
  visit(value);
  return texts.join('\n');
}

function attempt(read: () => unknown): string {
  try {
    return String(read());
  } catch (error) {
    return String(error);
  }
}
