import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { executablePath } from './chromium-path.ts';

/**
 * The features to turn off. Chromium reads only the last `--disable-features`, so this list replaces Playwright's list.
 */
const OFF = [
  // Without these two entries, each window would load two pages for the popups of its address bar, and these pages need
  // more resources than most tests.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Playwright's list, except the features of other operating systems.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Makes names that end in .test resolve to this machine.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
  `--disable-features=${OFF.join(',')}`,
];

/** Starts one browser for all tests of a run. Each test has its own windows and storage. */
export default async function startChromium(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!executablePath) {
    if (process.env['SVC_CHROMIUM'] === 'required') throw new Error("Debian's chromium is not installed.");
    console.warn("The tests in a browser are skipped: Debian's chromium is not installed.");
    return undefined;
  }
  const browser = await chromium.launchServer({ executablePath, args: FLAGS, host: '127.0.0.1' });
  project.provide('chromium', browser.wsEndpoint());
  return () => browser.close();
}
