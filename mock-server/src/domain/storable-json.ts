/** An escaped surrogate. `JSON.stringify` writes pairs as characters and escapes only lone surrogates. */
const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** An escape of U+0000 whose backslash is not itself escaped. JSON has no other way to write the character. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** The deepest nesting of arrays and objects. Writing deeper JSON may exhaust a program's stack. */
export const JSON_LEVELS_MAX = 1_000;

/** Why a JSON text cannot be stored, as the end of a sentence, or undefined. The same for both databases. */
export function unstorablePart(text: string, value: unknown): string | undefined {
  if (text.length > 2 * JSON_LEVELS_MAX && levelsOf(text) > JSON_LEVELS_MAX) {
    return `is nested more than ${JSON_LEVELS_MAX.toLocaleString('en')} levels deep`;
  }
  if (!text.includes('\\u')) return undefined;
  if (ESCAPED_NUL.test(text)) return 'contains the character U+0000, which cannot be stored';
  if (ESCAPED_SURROGATE.test(text) && ESCAPED_SURROGATE.test(JSON.stringify(value))) {
    return 'contains half of a surrogate pair, which is not a character';
  }
  return undefined;
}

/** The deepest nesting of arrays and objects in a valid JSON text. */
function levelsOf(text: string): number {
  let [level, most, inString] = [0, 0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString && character === '\\') index++;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '[' || character === '{') most = Math.max(most, ++level);
    else if (character === ']' || character === '}') level--;
  }
  return most;
}
