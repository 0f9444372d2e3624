/** The fields that the query parameter `expand` names, or the error message for the first name that is not allowed. */
export type Expand = { fields: ReadonlySet<string> } | { problem: string };

/**
 * Parses the query parameter `expand` (service document, "Expanding"): names separated by commas. White space,
 * duplicates and empty names are ignored. Nested names are not supported. The error message follows the service
 * document ("Errors").
 */
export function parseExpand(value: string | undefined, allowed: readonly string[]): Expand {
  const fields = new Set((value ?? '').split(',').map((name) => name.trim()));
  fields.delete('');
  for (const name of fields) {
    if (!allowed.includes(name))
      return { problem: `Unknown expand field: "${name}". Available: ${allowed.join(', ')}.` };
  }
  return { fields };
}
