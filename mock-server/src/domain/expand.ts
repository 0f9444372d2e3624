/** What the query's `expand` asks for, or the name that is not on the allowlist. */
export type Expand = { fields: ReadonlySet<string> } | { unknown: string };

/** Reads `expand` (service document, "Expanding"): comma-separated, trimmed, duplicates and empty elements ignored. A nested name is not known as a whole. */
export function parseExpand(value: string | undefined, allowed: readonly string[]): Expand {
  const fields = new Set((value ?? '').split(',').map((name) => name.trim()));
  fields.delete('');
  for (const name of fields) if (!allowed.includes(name)) return { unknown: name };
  return { fields };
}

/** The message of the refusal, to the letter of the service document ("Errors"). */
export function unknownExpandMessage(name: string, allowed: readonly string[]): string {
  return `Unknown expand field: "${name}". Available: ${allowed.join(', ')}.`;
}
