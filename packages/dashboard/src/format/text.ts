/** Shortens an id in the middle: `whd_01M8…CX7Q`. */
export function shortenId(id: string): string {
  const [, prefix = '', rest = id] = /^([a-z]+_)?(.*)$/s.exec(id) ?? [];
  return rest.length <= 10 ? id : `${prefix}${rest.slice(0, 4)}…${rest.slice(-4)}`;
}

export function shortenUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return host + (pathname === '/' && !search ? '' : pathname) + search;
}

/** A part of a text: either unchanged characters, or the escapes of unsafe characters. */
export interface TextPiece {
  text: string;
  isEscape: boolean;
}

/** Control characters, line separators, and format characters, such as those that change the text direction. */
export const UNSAFE = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Each piece becomes an element, and tens of thousands of elements would block the page for seconds. So after this many
 * pieces, escapes are added to the surrounding text, and no longer become separate pieces.
 */
const PIECES_MAX = 1_000;

/** Splits a text into pieces, in which every unsafe character is replaced by an escape. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  const add = (part: string, isEscape: boolean) => {
    if (part === '') return;
    const previous = pieces.at(-1);
    if (previous?.isEscape === isEscape) previous.text += part;
    else pieces.push({ text: part, isEscape });
  };
  let end = 0;
  for (const match of text.matchAll(UNSAFE)) {
    add(text.slice(end, match.index), false);
    add(escapeOf(match[0]), pieces.length < PIECES_MAX);
    end = match.index + match[0].length;
  }
  add(text.slice(end), false);
  return pieces;
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
