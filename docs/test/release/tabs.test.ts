import { executablePath } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt } from '../support/build-site.ts';
import { type OpenSite, openSite } from '../support/open-site.ts';

const PAGE = '/guides/connect-your-framework.html';

describe.skipIf(!executablePath || !isBuilt())('Tabs', () => {
  const cleanup = new AsyncDisposableStack();
  let site: OpenSite;
  beforeAll(async () => {
    site = cleanup.use(await openSite());
  });
  afterAll(() => cleanup.disposeAsync());

  /** The names of the tabs whose text a reader sees. */
  const shown = () =>
    site.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.tab-panel')]
        .filter((panel) => panel.offsetHeight > 0)
        .map((panel) => panel.querySelector('h3')?.id),
    );

  test('show the first one', async () => {
    await site.open(PAGE);
    expect(await shown()).toEqual(['node']);
  });

  test('show what a reader chooses, with the pointer or with the keys', async () => {
    const { page, open } = site;
    await open(PAGE);
    await page.locator('label', { hasText: 'Express' }).click();
    expect(await shown()).toEqual(['express']);
    await page.keyboard.press('ArrowRight');
    await expect.poll(shown).toEqual(['fastify']);
  });

  test('show what the address names, also after a link on the page', async () => {
    const { page, open } = site;
    await open('/start.html');
    await open(`${PAGE}#koa`);
    await expect.poll(shown).toEqual(['koa']);
    await page.getByRole('link', { name: 'Workers', exact: true }).click();
    await expect.poll(shown).toEqual(['cloudflare-workers']);
  });

  test('are all in print', async () => {
    const { page, open } = site;
    await open(PAGE);
    await page.emulateMedia({ media: 'print' });
    expect((await shown()).length).toBeGreaterThan(8);
    await page.emulateMedia({ media: null });
    expect(site.problems).toEqual([]);
  });
});
