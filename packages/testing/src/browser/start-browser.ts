import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all tests share. */
    chromium: string;
  }
}

/** `await using` ends the connection to the shared browser, and closes the windows that were opened with it. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.connect(inject('chromium'));
}
