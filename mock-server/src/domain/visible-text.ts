/**
 * Matches characters that could control a terminal or disguise what it shows: control characters, line separators, and
 * characters that are invisible or change the direction of text. Does not match the two joiners and two variation
 * selectors that words and emoji need.
 */
export const UNSAFE =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Replaces unsafe characters, except line feeds and tabs, with JSON escapes, so printed JSON keeps its value. */
export const visibleText = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));

/** Like {@link visibleText}, but also escapes line feeds and tabs. */
export const visibleLine = (text: string): string => text.replaceAll(UNSAFE, escaped);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string =>
  SHORT[character] ??
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
