/** The fields that the query parameter `expand` names, or the first name that is not allowed. */
export type Expand = { fields: ReadonlySet<string> } | { unknown: string };

/**
 * Parses the query parameter `expand` (service document, "Expanding"): names separated by commas. White space,
 * duplicates and empty names are ignored. Nested names are not supported.
 */
export function parseExpand(value: string | undefined, allowed: readonly string[]): Expand {
  const fields = new Set((value ?? '').split(',').map((name) => name.trim()));
  fields.delete('');
  for (const name of fields) if (!allowed.includes(name)) return { unknown: name };
  return { fields };
}

/** Returns the error message for a name that is not allowed, with the wording of the service document ("Errors"). */
export function unknownExpandMessage(name: string, allowed: readonly string[]): string {
  return `Unknown expand field: "${name}". Available: ${allowed.join(', ')}.`;
}
