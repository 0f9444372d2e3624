import { withoutNul } from './without-nul.ts';

/** Values of one column, for many rows. */
export type ArrayValues = readonly (string | number | null)[];

/**
 * An array as PostgreSQL reads it in a parameter (PostgreSQL, "Array Input and Output Syntax"). `pg` writes one too, but
 * takes twice as long, and the engine's parameters are columns of hundreds of rows.
 */
export function arrayLiteral(values: ArrayValues): string {
  let text = '{';
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (index > 0) text += ',';
    if (value === null || value === undefined) text += 'NULL';
    else text += typeof value === 'number' ? value : quoted(value);
  }
  return `${text}}`;
}

/** Escapes of JSON that PostgreSQL takes for the letter: of control characters, and of halves of a pair of surrogates. */
const ESCAPED_BY_JSON_ALONE = /\\[bfnrtu]/;

function quoted(given: string): string {
  const text = withoutNul(given);
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  // Save for those escapes, both put a backslash before each backslash and each quotation mark, and nowhere else.
  const json = JSON.stringify(text);
  return ESCAPED_BY_JSON_ALONE.test(json) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : json;
}
