import { expect, test } from 'vitest';
import { activityBars, activityTotals } from '../../../src/screens/webhooks/activity.ts';

test('deliveries are spread over bars of equal time', () => {
  const at = (seconds: number, status: string) => ({
    id: `whd_${seconds}`,
    status,
    createdAt: new Date(seconds * 1000).toISOString(),
  });
  const deliveries = [at(100, 'failed'), at(51, 'success'), at(0, 'success')];
  const bars = activityBars(deliveries, 2);
  expect(bars.map(({ success, failed }) => [success, failed])).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(activityBars([at(1, 'success'), at(1, 'success')], 60)).toHaveLength(1);
  expect(activityBars([], 60)).toEqual([]);
  expect(activityTotals(bars)).toEqual({ success: 2, failed: 1, pending: 0, disabled: 0 });
});
