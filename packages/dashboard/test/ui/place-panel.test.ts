import { expect, test } from 'vitest';
import { placePanel } from '../../src/ui/place-panel.ts';

const window = { width: 320, height: 800 };
const opener = (left: number, top: number) => ({ left, right: left + 60, top, bottom: top + 32 });

test('a panel opens below its button, aligned with one of its edges', () => {
  const wide = { width: 1280, height: 800 };
  expect(placePanel(opener(100, 10), { width: 240, height: 300 }, wide, 'start')).toMatchObject({ left: 100, top: 46 });
  expect(placePanel(opener(900, 10), { width: 240, height: 300 }, wide, 'end')).toMatchObject({ left: 720, top: 46 });
});

test('a panel stays inside the window', () => {
  expect(placePanel(opener(250, 10), { width: 240, height: 300 }, window, 'start').left).toBe(68);
  expect(placePanel(opener(20, 10), { width: 240, height: 300 }, window, 'end').left).toBe(12);
  expect(placePanel(opener(20, 10), { width: 900, height: 300 }, window, 'end').left).toBe(12);
});

test('a panel that is too high scrolls, and opens above if there is more room', () => {
  expect(placePanel(opener(20, 10), { width: 240, height: 5_000 }, window, 'start')).toMatchObject({
    top: 46,
    maxHeight: 742,
  });
  expect(placePanel(opener(20, 700), { width: 240, height: 300 }, window, 'start')).toMatchObject({
    top: 396,
    maxHeight: 684,
  });
});
