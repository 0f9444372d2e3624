import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

export { executablePath } from './chromium-path.ts';

/** Connects to the browser that `start-chromium.ts` started. `await using` disconnects and closes its own windows. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.connect(inject('chromium'));
}
