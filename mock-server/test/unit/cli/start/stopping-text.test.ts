import { expect, test } from 'vitest';
import { stoppingText } from '../../../../src/cli/start/stopping-text.ts';

test.each([
  ['SIGINT', 0, 'Stopping. Press Ctrl+C again to stop at once.'],
  ['SIGINT', 1, 'Stopping: finishing 1 delivery in flight (at most 10 s). Press Ctrl+C again to stop at once.'],
  ['SIGINT', 12, 'Stopping: finishing 12 deliveries in flight (at most 10 s). Press Ctrl+C again to stop at once.'],
  ['SIGTERM', 12, 'Stopping: finishing 12 deliveries in flight (at most 10 s). Send SIGTERM again to stop at once.'],
] as const)(
  '%s with %i deliveries in flight prints what the server waits for and how to stop at once',
  (signal, count, text) => {
    expect(stoppingText(signal, count)).toBe(text);
  },
);
