import { expect, test } from 'vitest';
import { toApiError } from '../../../src/http/errors.ts';
import { ClosingError } from '../../../src/runtime/closing-error.ts';

test.each([
  [false, 'The server is shutting down.'],
  [
    true,
    'The server is shutting down; the clock may have moved part of the way. Read the clock before you move it again.',
  ],
])('A call that a closing server cut short says whether the clock may have moved (%s)', (movedClock, message) => {
  expect(toApiError(new ClosingError({ movedClock }))).toMatchObject({ code: 'UNAVAILABLE', message });
});
