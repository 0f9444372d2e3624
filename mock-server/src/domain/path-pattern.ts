/** Whether a path matches a pattern. `*` matches any characters, including slashes. `{name}` matches one segment. */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '.*')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`).test(path);
}
