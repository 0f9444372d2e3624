import { randomInt } from 'node:crypto';
import { visibleLine, visibleText } from '../../domain/visible-text.ts';

/** Functions that color text, or leave it unchanged. */
export interface Style {
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/**
 * These parameters mark our color sequences until they are printed. Nobody outside this process knows the parameters,
 * so no text from outside can color or hide anything. Libraries that measure text recognize such a sequence.
 */
const MARK = Array.from({ length: 4 }, () => randomInt(1_000, 10_000)).join(';');

const marked = (code: number): string => `\u001b[${MARK};${code}m`;

/** Matches one of our sequences. Its group is the code. */
const OURS = new RegExp(`\u001b\\[${MARK};(\\d+)m`);

/** Colors are for terminals, and never used with `NO_COLOR` (no-color.org: set to any text). */
export function styleFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Style {
  const isColored = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const style = (on: number, off: number) => (text: string) => (isColored ? marked(on) + text + marked(off) : text);
  return { bold: style(1, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39), cyan: style(36, 39) };
}

/** The text as it is printed: with our colors, and every other control visible. */
export const inColors = (text: string): string => mapStyled(text, visibleText, (code) => `\u001b[${code}m`);

/** The text in one line: everything is visible except our colors, which stay for {@link inColors}. */
export const styledLine = (text: string): string => mapStyled(text, visibleLine, (code) => marked(Number(code)));

/** Splitting at a group yields texts and codes in turn. */
function mapStyled(text: string, mapText: (text: string) => string, mapCode: (code: string) => string): string {
  return text
    .split(OURS)
    .map((part, index) => (index % 2 === 0 ? mapText(part) : mapCode(part)))
    .join('');
}

/** The status of a delivery or an endpoint in its color. */
export function styleStatus(style: Style, status: string): string {
  switch (status) {
    case 'success':
    case 'active':
      return style.green(status);
    case 'failed':
      return style.red(status);
    case 'disabled':
    case 'inactive':
      return style.yellow(status);
    default:
      return style.cyan(status);
  }
}
