import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

export { executablePath } from './chromium-path.ts';

/** Joins the browser that `start-chromium.ts` started for all journeys. `await using` leaves it and closes its own windows. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.connect(inject('chromium'));
}
