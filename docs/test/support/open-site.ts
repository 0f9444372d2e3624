import { PATIENCE_MS } from '@svc/testing';
import { startBrowser } from '@svc/testing/browser';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { serveSite } from './serve-site.ts';

/** A page of the browser on the built site. */
export interface OpenSite extends AsyncDisposable {
  page: Page;
  /** What a reader's console shows, and requests that leave the site or find nothing. */
  problems: string[];
  /** Opens a page of the site, such as `/start.html`, and waits until it reacts. */
  open(path: string): Promise<void>;
}

export async function openSite(options: BrowserContextOptions = {}): Promise<OpenSite> {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.use(await serveSite());
  const browser = await startBrowser();
  cleanup.defer(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  const where = () => new URL(page.url()).pathname;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${where()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${where()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      problems.push(`${where()} asks ${request.url()}`);
  });
  const owned = cleanup.move();
  return {
    page,
    problems,
    async open(path) {
      const response = await page.goto(url + path, { waitUntil: 'load' });
      if (response?.status() !== 200) problems.push(`${path}: ${response?.status()}`);
      // Vue has taken over when the attribute is there.
      await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
