import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APPEARANCE, findings } from '../../../packages/dashboard/test/journeys/support/axe.ts';
import { executablePath } from '../../../packages/dashboard/test/journeys/support/chromium-path.ts';
import { docs, GUIDES, pagesOf, type Section } from '../../.vitepress/navigation.ts';
import { REFERENCE } from '../../.vitepress/reference.ts';
import { isBuilt } from '../support/build-site.ts';
import { type OpenSite, openSite } from '../support/open-site.ts';

const WINDOW_PX = 800;
/** Fonts differ from machine to machine. */
const TO_SPARE = 1.1;
const heightsOf = (sections: readonly Section[], heightMaxPx: number) =>
  sections.flatMap(pagesOf).map((page) => [page, heightMaxPx * TO_SPARE] as const);

/**
 * How long a page may be, in windows of a small laptop. A guide that is longer is split or cut. The reference and the
 * tables of decisions may take twice as much: nobody reads them from top to bottom.
 */
const HEIGHTS_MAX_PX = new Map([
  ...heightsOf(GUIDES, 2 * WINDOW_PX),
  ...heightsOf(REFERENCE, 4 * WINDOW_PX),
  ...readdirSync(join(docs, 'silences')).map(
    (name) => [`silences/${name.replace('.md', '')}`, 4 * WINDOW_PX * TO_SPARE] as const,
  ),
]);

/** Every page of the navigation, and one of each kind that typedoc writes. The rest of its pages are alike. */
const PAGES = [
  'index',
  ...HEIGHTS_MAX_PX.keys(),
  'api/@svc/client/index/index',
  'api/@svc/client/index/functions/createClient',
  'api/@svc/client/index/classes/ApiError',
  'api/@svc/webhooks/index/interfaces/Webhooks',
  'api/@svc/webhooks/schemas/variables/eventSchema',
  '404',
];

describe.skipIf(!executablePath || !isBuilt())('In a browser', () => {
  const cleanup = new AsyncDisposableStack();
  let site: OpenSite;
  beforeAll(async () => {
    site = cleanup.use(await openSite());
  });
  afterAll(() => cleanup.disposeAsync());

  /** How far the page can be scrolled sideways, in pixels. */
  const overflow = () =>
    site.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  /** The height of the text, without pictures. */
  const height = () =>
    site.page.evaluate(() => {
      const heightOf = (element: Element) => element.getBoundingClientRect().height;
      const [text] = document.getElementsByClassName('vp-doc');
      if (!text) return 0;
      const pictures = [...text.getElementsByTagName('img')].map(heightOf);
      return heightOf(text) - pictures.reduce((sum, one) => sum + one, 0);
    });

  test.each(PAGES)('the page %s is sound: wide and narrow, light and dark', async (path) => {
    const { page, problems, open } = site;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: WINDOW_PX });
    await open(`/${path}.html`);
    expect(await findings(page)).toEqual([]);
    expect(await overflow()).toBe(0);
    expect(await height()).toBeLessThanOrEqual(HEIGHTS_MAX_PX.get(path) ?? Number.POSITIVE_INFINITY);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'));
    expect(await findings(page, APPEARANCE)).toEqual([]);
    expect(await overflow()).toBe(0);
    expect(problems).toEqual([]);
  });

  test.each([768, 960, 1024, 1440])(
    'the bar at the top shows all its links in a window of %i pixels',
    async (width) => {
      const { page, open } = site;
      await page.setViewportSize({ width, height: WINDOW_PX });
      await open('/start.html');
      const links = page.locator('.VPNavBarMenu a');
      const ends = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      expect(ends.length).toBeGreaterThan(5);
      expect(ends.filter((end) => end <= 0 || end > width)).toEqual([]);
    },
  );
});
