import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { executablePath } from './chromium-path.ts';
import { unpackServer } from './unpack-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser of all journeys. */
    chromium: string;
    /** The folder of the server under test: its unpacked tarball. */
    packedServer: string;
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
  // Names other than localhost lead to this machine too.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/** Packs the server, and starts one browser for all journeys. Each journey has its own windows, storage and stream. */
export default async function setUpJourneys(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!executablePath) {
    if (process.env['SVC_CHROMIUM'] === 'required') throw new Error("Debian's chromium is not installed.");
    console.warn("The journeys are skipped: Debian's chromium is not installed.");
    return undefined;
  }
  const server = unpackServer();
  project.provide('packedServer', server.folder);
  const browser = await chromium.launchServer({ executablePath, args: FLAGS, host: '127.0.0.1' });
  project.provide('chromium', browser.wsEndpoint());
  return async () => {
    server[Symbol.dispose]();
    await browser.close();
  };
}
