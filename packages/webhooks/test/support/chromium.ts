import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VectorReport } from '../vectors/check-vectors.ts';

interface Browser {
  newPage(): Promise<{ goto(url: string): Promise<unknown>; evaluate(script: string): Promise<unknown> }>;
  close(): Promise<void>;
}

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Runs a bundled module in a page of headless Chromium. @returns its report. */
export async function reportOfChromium(
  installed: NodeJS.Require,
  executablePath: string,
  module: string,
): Promise<VectorReport> {
  const { chromium } = installed('playwright-core') as { chromium: { launch(options: object): Promise<Browser> } };
  const server = createServer((request, response) => {
    const isModule = request.url === '/vectors.js';
    response
      .setHeader('content-type', isModule ? 'text/javascript; charset=utf-8' : 'text/html')
      .end(isModule ? module : '<!doctype html>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await chromium.launch({ executablePath, args: QUIET });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return (await page.evaluate(`import('/vectors.js').then((module) => module.report())`)) as VectorReport;
  } finally {
    await browser.close();
    server.close();
  }
}
