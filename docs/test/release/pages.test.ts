import { APPEARANCE, executablePath, findings } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUIDES, pagesOf } from '../../.vitepress/navigation.ts';
import { REFERENCE } from '../../.vitepress/reference.ts';
import { isBuilt } from '../support/build-site.ts';
import { type OpenSite, openSite } from '../support/open-site.ts';

const WINDOW_PX = 800;
/** A guide answers one question of a reader, so it stays this short. Code does not count. */
const GUIDE_WORDS_MAX = 1_200;

const guides = new Set(GUIDES.flatMap(pagesOf));

/** Every page of the navigation, and one of each kind that typedoc writes. The rest of its pages are alike. */
const PAGES = [
  'index',
  ...guides,
  ...REFERENCE.flatMap(pagesOf),
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

  /** How many words the page has, without its code. */
  const words = () =>
    site.page.evaluate(() => {
      const text = document.querySelector('.vp-doc')?.cloneNode(true) as Element | undefined;
      for (const code of text?.querySelectorAll('pre') ?? []) code.remove();
      return text?.textContent.match(/\S+/g)?.length ?? 0;
    });

  /** The bars and sidebars of pages that are sound. Most pages share them, so axe checks each of them only once. */
  const sound = new Set<string>();
  const partsAround = () =>
    site.page.evaluate(() =>
      ['.VPNav', '.VPSidebar'].map((part) => {
        const html = [...document.querySelectorAll(part)].map((one) => one.outerHTML).join('');
        // The link to the page itself has another color.
        return { part, html: html.replace(/ (?:is|has)-active\b/g, '') };
      }),
    );

  /** The looks of code on pages that are sound: what decides its colors, and whether a keyboard reaches it. */
  const soundCode = new Set<string>();
  /** Marks the code blocks that have only such looks, so that axe leaves them out. Returns the looks of the others. */
  const markSoundCode = () =>
    site.page.evaluate(
      (known) => {
        const isKnown = new Set(known);
        return [...document.querySelectorAll('pre')].flatMap((block) => {
          const around = `${block.className} ${block.tabIndex} ${block.parentElement?.className}`;
          const parts = [block, ...block.querySelectorAll('*')];
          const looks = parts.map((one) => `${around} ${one.className} ${one.getAttribute('style')}`);
          const isSound = looks.every((look) => isKnown.has(look));
          block.toggleAttribute('data-sound', isSound);
          return isSound ? [] : looks;
        });
      },
      [...soundCode],
    );

  test.each(PAGES)('the page %s is sound: wide and narrow, light and dark', async (path) => {
    const { page, problems, open } = site;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: WINDOW_PX });
    await open(`/${path}.html`);
    const parts = await partsAround();
    const newCode = await markSoundCode();
    const except = [...parts.filter(({ html }) => sound.has(html)).map(({ part }) => part), '[data-sound]'];
    expect(await findings(page, undefined, except)).toEqual([]);
    expect(await overflow()).toBe(0);
    if (guides.has(path)) expect(await words()).toBeLessThanOrEqual(GUIDE_WORDS_MAX);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'));
    expect(await findings(page, APPEARANCE, except)).toEqual([]);
    expect(await overflow()).toBe(0);
    expect(problems).toEqual([]);
    for (const { html } of parts) sound.add(html);
    for (const look of newCode) soundCode.add(look);
  });

  test('the bar at the top fits into a window of 320 pixels, which a zoom of 400 % also makes', async () => {
    const { page, open } = site;
    await page.setViewportSize({ width: 320, height: 640 });
    await open('/start.html');
    expect(await overflow()).toBe(0);
    expect(await page.getByRole('link', { name: 'Workspace Lifecycle', exact: true }).isVisible()).toBe(true);
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
