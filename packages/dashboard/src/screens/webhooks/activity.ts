import type { CompactDelivery } from '@svc/contract/control/types';

/** The statuses in the order in which a bar shows them, from top to bottom. */
export const STATUSES = ['failed', 'disabled', 'pending', 'success'] as const;

type Counts = Record<(typeof STATUSES)[number], number>;

export interface ActivityBar extends Counts {
  from: number;
  to: number;
}

/** Returns a bar for each of `count` periods of equal length, oldest first. */
export function activityBars(deliveries: readonly CompactDelivery[], count: number): ActivityBar[] {
  const times = deliveries.map(({ createdAt }) => Date.parse(createdAt));
  if (times.length === 0) return [];
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  // One bar is enough if all deliveries have the same creation time.
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

export function activityTotals(bars: readonly ActivityBar[]): Counts {
  const total = (status: keyof Counts) => bars.reduce((sum, bar) => sum + bar[status], 0);
  return { success: total('success'), failed: total('failed'), pending: total('pending'), disabled: total('disabled') };
}
