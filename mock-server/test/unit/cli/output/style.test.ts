import { expect, test } from 'vitest';
import { renderTable } from '../../../../src/cli/output/output.ts';
import { inColors, styledLine, styleFor } from '../../../../src/cli/output/style.ts';

const style = styleFor({ isTTY: true }, {});

test('our own colours reach the terminal, and those of a text are shown', () => {
  const text = `${style.green('good')} \u001b[32mforged\u001b[39m ${style.red('\u001b[8mhidden')}`;
  expect(inColors(text)).toBe(
    '\u001b[32mgood\u001b[39m \\u001b[32mforged\\u001b[39m \u001b[31m\\u001b[8mhidden\u001b[39m',
  );
});

test('a text in one line keeps its colours, and shows its line feeds', () => {
  expect(inColors(styledLine(`${style.cyan('a')}\nb`))).toBe('\u001b[36ma\u001b[39m\\nb');
});

test('nothing is coloured without a terminal, with NO_COLOR, or on a dumb terminal', () => {
  expect(styleFor({}, {}).bold('a')).toBe('a');
  expect(styleFor({ isTTY: true }, { NO_COLOR: '1' }).bold('a')).toBe('a');
  expect(styleFor({ isTTY: true }, { TERM: 'dumb' }).bold('a')).toBe('a');
});

test('a table measures what is seen', () => {
  const rows = [
    { STATUS: style.green('success'), LAST: 'x' },
    { STATUS: styledLine('a\u001b[2Jb'), LAST: 'y' },
  ];
  const plain = styleFor({}, {});
  expect(renderTable(rows, 80, plain).map(inColors)).toEqual([
    'STATUS       LAST',
    '\u001b[32msuccess\u001b[39m      x',
    'a\\u001b[2Jb  y',
  ]);
});
