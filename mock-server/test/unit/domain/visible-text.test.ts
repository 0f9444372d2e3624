import { expect, test } from 'vitest';
import { visibleLine, visibleText } from '../../../src/domain/visible-text.ts';

test.each([
  ['an escape sequence that writes the clipboard', 'a\u001b]52;c;aGk=\u0007b', 'a\\u001b]52;c;aGk=\\u0007b'],
  ['a sequence that begins with one C1 control', 'a\u009b2Jb', 'a\\u009b2Jb'],
  ['a carriage return, a backspace and a delete', 'right\rwrong\b\u007f', 'right\\rwrong\\u0008\\u007f'],
  ['text that turns the direction', 'a\u202eb\u2066c\u200fd\u061ce', 'a\\u202eb\\u2066c\\u200fd\\u061ce'],
  ['characters that nobody can see', 'a\u200bb\ufeffc\u00add\u{e0041}', 'a\\u200bb\\ufeffc\\u00add\\udb40\\udc41'],
  ['line separators', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
])('%s is shown', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleLine(text)).toBe(shown);
});

test('ordinary text of any language stays, also its joiners', () => {
  const text = 'Ärger, 日本語, می‌خواهم, שלום, 👩‍👩‍👧, ✔️';
  expect(visibleText(text)).toBe(text);
});

test('line feeds and tabs stay in a text, and are shown in a line', () => {
  expect(visibleText('a\n\tb')).toBe('a\n\tb');
  expect(visibleLine('a\n\tb')).toBe('a\\n\\tb');
});

test('JSON stays the same JSON', () => {
  const value = { text: '\u001b\u009b\u202e\u2028\u007f\n"\\' };
  const shown = visibleText(JSON.stringify(value, null, 2));
  expect(shown).toMatch(/^[\n -~]+$/);
  expect(JSON.parse(shown)).toEqual(value);
});
