import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all tests share. */
    chromium: string;
  }
}

/** Connects to the shared browser. `await using` closes the connection and all windows opened through it. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.connect(inject('chromium'));
}
