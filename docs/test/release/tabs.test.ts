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

  test('mark the chosen one with forced colors', async () => {
    const { page, open } = site;
    await page.emulateMedia({ forcedColors: 'active' });
    await open(PAGE);
    const lines = await page
      .locator('.tab-list label')
      .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).textDecorationLine));
    expect(lines.filter((line) => line === 'underline')).toHaveLength(1);
    expect(lines[0]).toBe('underline');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('have whole lines of code on paper', async () => {
    const { page, open } = site;
    await page.emulateMedia({ media: 'print' });
    await open(PAGE);
    const cut = await page
      .locator('.vp-doc pre')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect(cut).toBe(0);
    await page.emulateMedia({ media: null });
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
