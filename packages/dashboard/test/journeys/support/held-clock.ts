import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const STEP_MS = 100;

/** Holds the timers of all pages of a context, so that no second passes for them while this machine is busy. */
export async function holdClock(page: Page): Promise<void> {
  // So far ahead that this machine is not late for it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}

/** Waits until something is so on pages whose clock is held, and lets that clock run for a second at most. */
export async function withinASecond(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  let leftMs = 1_000;
  await expect
    .poll(
      async () => {
        // Once the second is over, what falls due at its end still runs.
        const stepMs = Math.min(leftMs, STEP_MS);
        leftMs -= stepMs;
        await page.clock.runFor(stepMs);
        return await isSo();
      },
      { interval: 100 },
    )
    .toBe(true);
}
