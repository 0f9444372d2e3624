import { expect } from 'vitest';
import { matchers } from './matchers.ts';

export { type MockServiceFixtures, test } from './fixtures.ts';

expect.extend(matchers);

export { expect };

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * Asserts that the receiver got exactly `times` deliveries of this event type. Without `times`, asserts that the
     * receiver got at least one delivery. A delivery counts only once, even if it was retried.
     */
    toHaveDelivered(eventType: string, times?: number): R;
    /** Asserts that the request is signed with this secret: its text, or the object that creating an endpoint returns. */
    toBeSignedWith(secret: string | { secret: string }): R;
  }
}
