import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const STEP_MS = 100;

/** Stops the timers of all pages of a context, so that no time passes for them while this machine is busy. */
export async function holdClock(page: Page): Promise<void> {
  // Far enough ahead that a slow machine does not miss it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}

/** Waits for a condition on pages whose clock is held, and lets that clock run for a second at most. */
export async function withinASecond(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  let leftMs = 1_000;
  await expect
    .poll(
      async () => {
        // Timers that are due exactly at the end of the second still run.
        const stepMs = Math.min(leftMs, STEP_MS);
        leftMs -= stepMs;
        await page.clock.runFor(stepMs);
        return await isSo();
      },
      { interval: 100 },
    )
    .toBe(true);
}
