import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Debian's Chromium, if it is installed. */
export const executablePath = PATHS.find((path) => existsSync(path));

if (!executablePath) console.warn("The journeys are skipped: Debian's chromium is not installed.");

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser. It is closed by `await using`. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({ ...(executablePath && { executablePath }), args: FLAGS });
}
