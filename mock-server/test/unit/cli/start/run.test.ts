import { expect, test } from 'vitest';
import { stoppingText } from '../../../../src/cli/start/run.ts';

test.each([
  ['SIGINT', 0, 'Stopping. Press Ctrl+C again to stop immediately.'],
  ['SIGINT', 1, 'Stopping: finishing 1 delivery in flight (at most 10 s). Press Ctrl+C again to stop immediately.'],
  ['SIGINT', 12, 'Stopping: finishing 12 deliveries in flight (at most 10 s). Press Ctrl+C again to stop immediately.'],
  [
    'SIGTERM',
    12,
    'Stopping: finishing 12 deliveries in flight (at most 10 s). Send SIGTERM again to stop immediately.',
  ],
] as const)(
  '%s with %i deliveries in flight prints what the server waits for and how to stop immediately',
  (signal, count, text) => {
    expect(stoppingText(signal, count)).toBe(text);
  },
);
