import { expect, test } from 'vitest';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from '../../../../src/delivery/tuning.ts';

test('sweeps check a million lanes within ten minutes', () => {
  expect((1_000_000 / SWEEP_LANES) * SWEEP_INTERVAL_MS).toBeLessThanOrEqual(600_000);
});
