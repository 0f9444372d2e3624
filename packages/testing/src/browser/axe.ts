import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified code of axe. Each loaded page receives and compiles this code. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose result depends on the width of the window. */
export const SIZES = ['scrollable-region-focusable', 'target-size'];

/**
 * The rules whose result depends on the window's width or the color scheme. The results of all other rules depend only
 * on the document.
 */
export const APPEARANCE = ['color-contrast', 'link-in-text-block', ...SIZES];

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Checks the page against `rules`, or by default against all rules of WCAG 2.2 A and AA. Leaves out the elements that
 * match a selector in `except`.
 */
export async function findings(
  page: Page,
  rules?: readonly string[],
  except: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    // Also add axe to every document that this page loads later.
    await page.addInitScript({ content: SOURCE });
    await page.evaluate(SOURCE);
  }
  const runOnly = rules ? { type: 'rule' as const, values: [...rules] } : WCAG_22_AA;
  return await page.evaluate(
    async ({ runOnly, except }) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        { include: document, exclude: [...except] },
        {
          runOnly,
          // Otherwise, axe would spend most of its time on the elements that pass.
          resultTypes: ['violations'],
          preload: false,
        },
      );
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`,
        ),
      );
    },
    { runOnly, except },
  );
}
