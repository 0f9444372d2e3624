/**
 * Allows an event type of the catalog, or `<prefix>.*` if at least one type begins with `<prefix>.` (service document,
 * "Subscription"). This server also allows `*`.
 */
export function subscriptionProblem(pattern: string, types: readonly string[]): string | undefined {
  if (pattern === '*' || types.includes(pattern)) return undefined;
  const isGlob = pattern.endsWith('.*') && types.some((type) => type.startsWith(pattern.slice(0, -1)));
  return isGlob ? undefined : `"${pattern}" is neither an event type of the catalog nor a glob such as "lifecycle.*"`;
}
