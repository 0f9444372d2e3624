/** Whether a path fits a pattern: `*` stands for any characters, slashes among them, `{name}` for one segment. */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '.*')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`).test(path);
}
