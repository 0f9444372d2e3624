export type Expand = { fields: ReadonlySet<string> } | { problem: string };

/** Parses the query parameter `expand` (service document, "Expanding" and "Errors"). Nested names are not supported. */
export function parseExpand(value: string | undefined, allowed: readonly string[]): Expand {
  const fields = new Set((value ?? '').split(',').map((name) => name.trim()));
  fields.delete('');
  for (const name of fields) {
    if (!allowed.includes(name))
      return { problem: `Unknown expand field: "${name}". Available: ${allowed.join(', ')}.` };
  }
  return { fields };
}
