/**
 * See PostgreSQL, "Array Input and Output Syntax". Takes half as long as the conversion in `pg`, which matters for the
 * delivery engine's arrays of hundreds of values.
 */
export function arrayLiteral(values: readonly (string | number | null)[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (index > 0) text += ',';
    if (value === null || value === undefined) text += 'NULL';
    else text += typeof value === 'number' ? value : quoted(value);
  }
  return `${text}}`;
}

/** Replaces U+0000, which PostgreSQL cannot store, with U+FFFD. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

function quoted(given: string): string {
  const text = withoutNul(given);
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  // Receivers choose these strings, and for 64 KiB of quotation marks, `replaceAll` takes three times as long.
  return `"${text.split('\\').join('\\\\').split('"').join('\\"')}"`;
}
