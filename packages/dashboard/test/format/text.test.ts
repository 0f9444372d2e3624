import { parseCurl } from '@svc/webhooks/diagnose';
import { expect, test } from 'vitest';
import { curlCommand } from '../../src/format/curl.ts';
import { formatDuration, formatOffset, formatRelative } from '../../src/format/duration.ts';
import { formatInstant } from '../../src/format/instant.ts';
import { initials, shortenId, shortenUrl, visiblePieces } from '../../src/format/text.ts';

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [298_000, '4 min 58 s'],
  [3_600_000, '1 h'],
  [3_603_000, '1 h'],
  [279_300_000, '3 d 5 h'],
])('%i ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, 'now'],
  [240_000, 'in 4 min'],
  [-10_800_000, '3 h ago'],
  [-999, 'now'],
])('%i ms from now is %s', (ms, text) => {
  expect(formatRelative(ms)).toBe(text);
});

test("the clock's offset is rounded, and small differences are not shown", () => {
  expect(formatOffset(1_500)).toBe('real time');
  expect(formatOffset(4.3 * 365.25 * 86_400_000)).toBe('4 y ahead');
  expect(formatOffset(-7_200_000)).toBe('2 h behind');
});

test('an instant always shows its UTC offset', () => {
  const at = Date.UTC(2031, 2, 1, 0, 35);
  expect(formatInstant(at, 'utc')).toBe('1 Mar 2031, 00:35:00 UTC');
  expect(formatInstant(at, 'Europe/Berlin')).toBe('1 Mar 2031, 01:35:00 UTC+1');
});

test('long ids are shortened in the middle, and short ones are not', () => {
  expect(shortenId('whd_01M823GWNPTGV3DVS95ABDJYXK')).toBe('whd_01M8…JYXK');
  expect(shortenId('whd_1')).toBe('whd_1');
  expect(shortenId('')).toBe('');
});

test('a URL is shown by host and path, and other text unchanged', () => {
  expect(shortenUrl('https://app.test/')).toBe('app.test');
  expect(shortenUrl('http://127.0.0.1:9/in?x=1')).toBe('127.0.0.1:9/in?x=1');
  expect(shortenUrl('nonsense')).toBe('nonsense');
});

test('initials are the first letters of two words, or a whole emoji', () => {
  expect(initials('Acme Production Europe')).toBe('AP');
  expect(initials('😀 smile')).toBe('😀S');
});

test.each([
  ['plain\ttext\n', ['plain\ttext\n']],
  ['a\u0000b', ['a', '\\u0000', 'b']],
  ['\u202egnp', ['\\u202e', 'gnp']],
  ['zero\u200bwidth\u2066', ['zero', '\\u200b', 'width', '\\u2066']],
  ['tag\u{e0001}', ['tag', '\\u{e0001}']],
  ['a\u0085\u0085\u202eb\u0000', ['a', '\\u0085\\u0085\\u202e', 'b', '\\u0000']],
  ['', []],
])('invisible characters in %j are shown as escapes', (text, pieces) => {
  expect(visiblePieces(text).map((piece) => piece.text)).toEqual(pieces);
});

test('a text with thousands of invisible characters has few pieces, and all of its escapes', () => {
  const pieces = visiblePieces('a\u0001'.repeat(32_000));
  expect(pieces.length).toBeLessThanOrEqual(1_001);
  expect(pieces.map((piece) => piece.text).join('')).toBe('a\\u0001'.repeat(32_000));
  expect(pieces[1]).toEqual({ text: '\\u0001', isEscape: true });
});

test('a curl command quotes everything that a shell would interpret', () => {
  const command = curlCommand({
    method: 'POST',
    url: 'http://x.test/?a=1&b=$(id)',
    headers: { host: 'x.test', 'x-evil': "'; rm -rf / #" },
    body: '{"a":"`id`"}',
  });
  expect(command).toBe(
    `curl -X POST 'http://x.test/?a=1&b=$(id)' \\\n  -H 'x-evil: '\\''; rm -rf / #' \\\n  --data-raw '{"a":"\`id\`"}'`,
  );
});

test('a curl command sends one request, even if the URL contains brackets', () => {
  const command = curlCommand({ method: 'POST', url: 'http://x.test/?a={b,c}', headers: {}, body: null });
  expect(command).toBe("curl -g -X POST 'http://x.test/?a={b,c}'");
});

test.each(['@/etc/passwd', '{}\n^x^y^\n^', "it's \u001b[201~ é\n\tid", '\u202e\u009b2J\\n'])(
  'a curl command sends the body %j as it is, and nothing in it acts on a terminal',
  (body) => {
    const command = curlCommand({ method: 'POST', url: 'http://x.test/', headers: { 'x-a': body }, body });
    expect(visiblePieces(command).map((piece) => piece.text)).toEqual([command]);
    // An interactive bash would replace a line that begins with this character.
    expect(command).not.toMatch(/^\^/m);
    expect(parseCurl(command)).toEqual({ headers: [['x-a', body]], body });
  },
);
