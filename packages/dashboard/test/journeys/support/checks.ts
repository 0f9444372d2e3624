import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Journey } from './journey.ts';

/** Checks that the screen of a finished delivery has exactly the sentence of the control API. */
export async function expectServiceSentence(page: Page, { call }: Pick<Journey, 'call'>, id: string): Promise<void> {
  const { explanation } = (await call('GET', `/_control/deliveries/${id}/explanation`)).body;
  await page.locator('.sentence:not(:has(.skeleton))').waitFor();
  expect(await page.locator('.sentence').textContent()).toBe(explanation.sentence);
}

/** Checks that all characters of untrusted text are shown, invisible ones as escapes, and that none of it runs. */
export async function expectShownAsText(page: Page, shown: Locator, text: string): Promise<void> {
  await shown.waitFor();
  expect(await shown.textContent()).toBe(text);
  expect(await shown.locator('script, img, iframe, a').count()).toBe(0);
  expect(await page.title()).not.toContain('owned');
  expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false);
}

/** Checks that text that was shown once is not in any part of the page that a script or a person could read. */
export async function expectNowhere(page: Page, text: string): Promise<void> {
  const everything = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      Array.from(document.querySelectorAll('input, textarea'), (field) => (field as HTMLInputElement).value),
      [location.href, document.title, document.cookie, history.state],
      [{ ...localStorage }, { ...sessionStorage }],
    ]),
  );
  expect(everything).not.toContain(text);
}

/** Checks that each button can be pressed, or says which permission is missing. */
export async function expectButtons(buttons: readonly Locator[], missing: string | undefined): Promise<void> {
  for (const button of buttons) {
    await button.waitFor();
    const state = await button.evaluate((element) => {
      const { ariaDisabled, title } = element as HTMLButtonElement;
      return { disabled: ariaDisabled === 'true', title };
    });
    expect(state).toEqual({ disabled: missing !== undefined, title: missing ?? '' });
  }
}

/** Checks that the focused element is in view, and that an outline shows the focus. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const focus = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    // A link that covers a whole row draws its outline around the row.
    const drawn = [getComputedStyle(element), getComputedStyle(element, '::after')];
    const { top, bottom, width, height } = element.getBoundingClientRect();
    return {
      isDrawn: drawn.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px'),
      isInView: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
      element: element.outerHTML.slice(0, 200),
    };
  });
  expect(focus, focus.element).toMatchObject({ isDrawn: true, isInView: true });
}
