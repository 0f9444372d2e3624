/** An id without its middle: `whd_01M8…CX7Q`. */
export function shortenId(id: string): string {
  const [, prefix = '', rest = id] = /^([a-z]+_)?(.*)$/s.exec(id) ?? [];
  return rest.length <= 10 ? id : `${prefix}${rest.slice(0, 4)}…${rest.slice(-4)}`;
}

/** A URL as lists show it: host, port and path. */
export function shortenUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return host + (pathname === '/' && !search ? '' : pathname) + search;
}

/** A piece of hostile text: as it is, or the escape of a character that must not act. */
export interface TextPiece {
  text: string;
  isEscape: boolean;
}

/** Control and format characters, such as those that change the direction of text, and line separators. Tabs and line feeds stay. */
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Splits text of a stranger, so that every character that would not be seen is shown as an escape. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(UNSAFE)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isEscape: false });
    pieces.push({ text: escapeOf(match[0]), isEscape: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isEscape: false });
  return pieces;
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** Up to two letters that stand for a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
