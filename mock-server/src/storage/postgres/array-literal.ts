/**
 * Writes values as a PostgreSQL array (see PostgreSQL, "Array Input and Output Syntax"). Takes half as long as the
 * conversion in `pg`, which matters for the delivery engine's arrays of hundreds of values. One JSON parameter would
 * not be faster: JSON escapes quotation marks, too.
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

/** Matches JSON's escapes of control characters and lone surrogates. In an array, PostgreSQL reads `\n` as `n`. */
const ESCAPED_BY_JSON_ALONE = /\\[bfnrtu]/;

function quoted(given: string): string {
  const text = withoutNul(given);
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  // JSON that escapes only backslashes and quotation marks is also valid in a PostgreSQL array.
  const json = JSON.stringify(text);
  return ESCAPED_BY_JSON_ALONE.test(json) ? escaped(text) : json;
}

const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;

/** For 64 KiB of quotation marks, which a receiver can send, `replaceAll` takes three times as long as this loop. */
function escaped(text: string): string {
  const codes = new Uint16Array(2 * text.length + 2);
  let length = 0;
  codes[length++] = QUOTATION_MARK;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTATION_MARK || code === BACKSLASH) codes[length++] = BACKSLASH;
    codes[length++] = code;
  }
  codes[length++] = QUOTATION_MARK;
  return Buffer.from(codes.buffer, 0, length * Uint16Array.BYTES_PER_ELEMENT).toString('utf16le');
}
