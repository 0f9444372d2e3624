/** An escape of a surrogate. When the value is written again, whole pairs are characters, and only halves are escaped. */
const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** An escape of U+0000 whose backslash is not itself escaped. JSON has no other way to write the character. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** What of a JSON text PostgreSQL cannot store, as the end of a sentence, or undefined. Both databases take the same. */
export function unstorablePart(text: string, value: unknown): string | undefined {
  if (!text.includes('\\u')) return undefined;
  if (ESCAPED_NUL.test(text)) return 'contains the character U+0000, which cannot be stored';
  if (ESCAPED_SURROGATE.test(text) && ESCAPED_SURROGATE.test(JSON.stringify(value))) {
    return 'contains half of a surrogate pair, which is not a character';
  }
  return undefined;
}
