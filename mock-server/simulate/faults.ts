/** The faults that a run can simulate. Switch off some faults to find out which of them cause a failure. */
export const FAULTS = [
  'lost replies',
  'refused commits',
  'slow database',
  'database outages',
  'lost commits',
  'partitions',
  'kills',
  'freezes',
  'clock moves',
  'clock set back',
  'slow receivers',
  'failing receivers',
  'hostile receivers',
  'injected faults',
  'shortages',
  'paused endpoints',
  'changed endpoints',
  'deleted endpoints',
  'rotated secrets',
  'lost messages',
  'shut-downs',
  'resets',
] as const;

export type FaultKind = (typeof FAULTS)[number];
