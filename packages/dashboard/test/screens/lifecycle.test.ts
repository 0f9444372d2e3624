import { expect, test } from 'vitest';
import { stateColumns } from '../../src/screens/lifecycle/state-columns.ts';
import { calendarStrip, dayOf } from '../../src/screens/profiles/calendar.ts';

const states = (active: number, churned: number) => ({
  states: { new: 0, active, at_risk: 0, dormant: 0, churned },
});

test('column heights are proportional to the largest, and states without profiles have no column part', () => {
  expect(stateColumns([states(10, 0), states(15, 5)], 100)).toEqual([
    [{ state: 'active', y: 50, height: 50 }],
    [
      { state: 'active', y: 25, height: 75 },
      { state: 'churned', y: 0, height: 25 },
    ],
  ]);
  expect(stateColumns([states(0, 0)], 100)).toEqual([[]]);
});

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
