import type { Page } from 'playwright-core';

/** Chooses the user that the page acts as. */
export async function actAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Acting as/ }).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: `Acting as ${name}` }).waitFor();
}
