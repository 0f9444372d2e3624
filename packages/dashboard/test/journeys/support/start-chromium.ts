import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { executablePath } from './chromium-path.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of all journeys listens. */
    chromium: string;
  }
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts one browser for all journeys: each has windows, storage and a stream of its own in it. */
export default async function startChromium(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!executablePath) {
    console.warn("The journeys are skipped: Debian's chromium is not installed.");
    return undefined;
  }
  const browser = await chromium.launchServer({ executablePath, args: FLAGS, host: '127.0.0.1' });
  project.provide('chromium', browser.wsEndpoint());
  return async () => await browser.close();
}
