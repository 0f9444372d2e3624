import { expect, test } from 'vitest';
import { entryOf, isIdLike, screensMatching } from '../../src/shell/palette-entries.ts';

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
