import { randomInt } from 'node:crypto';
import { visibleLine, visibleText } from '../../domain/visible-text.ts';

/** If colors are off, these functions return the text unchanged. */
export type Style = Record<'bold' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>;

/**
 * Random parameters mark this CLI's color sequences until they are printed. Other text cannot contain these parameters,
 * so it can neither use colors nor hide text. Libraries that measure text still recognize marked sequences.
 */
const MARK = Array.from({ length: 4 }, () => randomInt(1_000, 10_000)).join(';');

const marked = (code: number): string => `\u001b[${MARK};${code}m`;

const OURS = new RegExp(`\u001b\\[${MARK};(\\d+)m`);

/** Uses colors only in a terminal, and only if `NO_COLOR` (see no-color.org) is unset or empty. */
export function styleFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Style {
  const isColored = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const style = (on: number, off: number) => (text: string) => (isColored ? marked(on) + text + marked(off) : text);
  return { bold: style(1, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39), cyan: style(36, 39) };
}

/** Converts text for printing: colors take effect, and every other control character becomes visible. */
export const inColors = (text: string): string => mapStyled(text, visibleText, (code) => `\u001b[${code}m`);

/** Converts text to one line: every control character becomes visible, except our colors. */
export const styledLine = (text: string): string => mapStyled(text, visibleLine, (code) => marked(Number(code)));

/** Converts a text and its color codes. The result of `split` contains the codes, because the pattern has a group. */
function mapStyled(text: string, mapText: (text: string) => string, mapCode: (code: string) => string): string {
  return text
    .split(OURS)
    .map((part, index) => (index % 2 === 0 ? mapText(part) : mapCode(part)))
    .join('');
}

const STATUS_COLORS = new Map<string, keyof Style>([
  ['success', 'green'],
  ['active', 'green'],
  ['failed', 'red'],
  ['disabled', 'yellow'],
  ['inactive', 'yellow'],
]);

export const styleStatus = (style: Style, status: string): string => style[STATUS_COLORS.get(status) ?? 'cyan'](status);
