import { expect, test } from 'vitest';
import { calendarStrip, dayOf } from '../../../src/screens/profiles/calendar.ts';

test('the strip has every calendar day up to today, including leap days', () => {
  expect(calendarStrip(['2028-02-29', '2028-03-09'], '2028-03-02', 4)).toEqual([
    { day: '2028-02-28', isActive: false },
    { day: '2028-02-29', isActive: true },
    { day: '2028-03-01', isActive: false },
    { day: '2028-03-02', isActive: false },
  ]);
});

test('today is the current day in the time zone', () => {
  const at = Date.parse('2031-03-01T23:30:00Z');
  expect(dayOf(at, 'UTC')).toBe('2031-03-01');
  expect(dayOf(at, 'Asia/Tokyo')).toBe('2031-03-02');
});
