import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What WCAG 2.2 A and AA find on a page: each rule with the elements that break it. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`,
      ),
    );
  });
}
