import { expect, test } from 'vitest';
import { faultSentence, type ToldFault } from '../../src/screens/faults/sentence.ts';
import { entryOf, isIdLike, screensMatching } from '../../src/shell/palette-entries.ts';

test.each<[ToldFault, string]>([
  [
    { target: 'delivery', match: { endpointId: 'whe_b' }, effect: { status: 503 }, remaining: 2 },
    'The next 2 attempts to b.test/in get a 503.',
  ],
  [{ target: 'delivery', effect: { duplicate: true }, remaining: 1 }, 'The next attempt is sent twice.'],
  [
    { target: 'api', effect: { status: 429 }, remaining: null, probability: 0.5 },
    'Every request gets a 429, 50 % of the time.',
  ],
  [
    { target: 'api', match: { method: 'GET', path: '/v1/events' }, effect: { delayMs: 2000 }, remaining: 3 },
    'The next 3 GET requests to /v1/events get a response after 2 s.',
  ],
  [{ target: 'api', effect: { reset: 'answer' }, remaining: 1 }, 'The next request is processed, then cut off.'],
  [{ target: 'api', effect: { drop: true }, remaining: null }, 'Every request gets no response.'],
  [
    { target: 'api', effect: { drop: 'answer' }, remaining: 2 },
    'The next 2 requests are processed, but get no response.',
  ],
  [{ target: 'delivery', effect: { drop: true }, remaining: 0 }, 'Used up.'],
])('%j reads "%s"', (fault, sentence) => {
  expect(faultSentence(fault, () => 'b.test/in')).toBe(sentence);
});

test('text that looks like an id is looked up, and other text is not', () => {
  expect(isIdLike('whd_01M823GWNPTGV3DVS95ABDJYXK')).toBe(true);
  expect(isIdLike('01M823GWNPTGV3DVS95ABDJYXK')).toBe(true);
  expect(isIdLike('failed deliveries')).toBe(false);
});

test('screens are found by words of their names', () => {
  expect(screensMatching('fail del', 'wsp_1').map(({ text }) => text)).toEqual(['Failed deliveries']);
  expect(screensMatching('nothing like it', 'wsp_1')).toEqual([]);
});

test('a delivery of another workspace opens there, a request here', () => {
  const found = { organizationId: null, parentId: null };
  expect(entryOf({ ...found, id: 'whd_1', type: 'webhook_delivery', workspaceId: 'wsp_2' }, 'wsp_1')?.href).toContain(
    'w/wsp_2/deliveries/whd_1',
  );
  expect(entryOf({ ...found, id: '01M', type: 'request', workspaceId: null }, 'wsp_1')?.href).toContain(
    'w/wsp_1/requests',
  );
});
