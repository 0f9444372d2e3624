import { randomInt } from 'node:crypto';
import { visibleLine, visibleText } from '../../domain/visible-text.ts';

export type Style = Record<'bold' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>;

/**
 * This CLI's color sequences contain random parameters until they are printed. Text from a server cannot contain these
 * parameters, so it can neither use colors nor hide text. Libraries that measure text still recognize the sequences.
 */
const MARK = Array.from({ length: 4 }, () => randomInt(1_000, 10_000)).join(';');

const marked = (code: number): string => `\u001b[${MARK};${code}m`;

const OURS = new RegExp(`\u001b\\[${MARK};(\\d+)m`);

/** See no-color.org. */
export function styleFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Style {
  const isColored = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const style = (on: number, off: number) => (text: string) => (isColored ? marked(on) + text + marked(off) : text);
  return { bold: style(1, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39), cyan: style(36, 39) };
}

/** Turns on the colors, and makes every other control character visible. */
export const inColors = (text: string): string => mapStyled(text, visibleText, (code) => `\u001b[${code}m`);

/** Makes every control character visible, even a line feed, but keeps this CLI's colors. */
export const styledLine = (text: string): string => mapStyled(text, visibleLine, (code) => marked(Number(code)));

/** The result of `split` contains the color codes, because the pattern has a capturing group. */
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
