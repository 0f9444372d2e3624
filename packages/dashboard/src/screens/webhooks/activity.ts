import type { CompactDelivery } from '@svc/contract/control/types';

/** The deliveries of one period, by status. */
export interface ActivityBar {
  from: number;
  to: number;
  success: number;
  failed: number;
  pending: number;
  disabled: number;
}

const STATUSES = ['success', 'failed', 'pending', 'disabled'] as const;

/** Divides deliveries into periods of equal length, oldest first. */
export function activityBars(deliveries: readonly CompactDelivery[], count: number): ActivityBar[] {
  const times = deliveries.map(({ createdAt }) => Date.parse(createdAt));
  if (times.length === 0) return [];
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  // If all deliveries have the same creation time, there is only one bar.
  const bars = last === first ? 1 : count;
  const width = Math.max(1, (last - first) / bars);
  const made = Array.from({ length: bars }, (_, index) => ({
    from: first + index * width,
    to: first + (index + 1) * width,
    success: 0,
    failed: 0,
    pending: 0,
    disabled: 0,
  }));
  for (const [index, { status }] of deliveries.entries()) {
    const bar = made[Math.min(bars - 1, Math.floor(((times[index] ?? first) - first) / width))];
    const known = STATUSES.find((one) => one === status);
    if (bar && known) bar[known]++;
  }
  return made;
}

/** The number of deliveries in each status. */
export const activityTotals = (deliveries: readonly CompactDelivery[]): Record<(typeof STATUSES)[number], number> => {
  const totals = { success: 0, failed: 0, pending: 0, disabled: 0 };
  for (const { status } of deliveries) {
    const known = STATUSES.find((one) => one === status);
    if (known) totals[known]++;
  }
  return totals;
};
