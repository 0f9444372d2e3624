import { expect } from 'vitest';
import { matchers } from './matchers.ts';

export { type MockServiceFixtures, test } from './fixtures.ts';

expect.extend(matchers);

export { expect };

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * The receiver got deliveries of this event type: exactly `times`, or at least one. A delivery counts once, however
     * often it was retried.
     */
    toHaveDelivered(eventType: string, times?: number): R;
    /** The secret verifies the request's signature over the raw body. */
    toBeSignedWith(secret: string): R;
  }
}
