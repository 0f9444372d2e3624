import { expect } from 'vitest';
import type { Journey } from './journey.ts';

/** Creates a credential on the open screen, and tries it while it is shown. */
export async function createCredential(
  { page, call }: Pick<Journey, 'page' | 'call'>,
  what: string,
  name: string,
): Promise<string> {
  await page.getByRole('button', { name: `Create ${what}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name (optional)').fill(name);
  await dialog.getByRole('button', { name: `Create ${what}` }).click();
  const credential = (await dialog.getByRole('region', { name: what, exact: false }).first().textContent()) ?? '';
  await expect.poll(() => dialog.getByRole('region', { name: 'curl' }).textContent()).toContain(credential);
  expect(await dialog.getByRole('region', { name: '@svc/client' }).textContent()).toContain(credential);
  expect((await call('GET', '/v1/me', undefined, credential)).status).toBe(200);
  await dialog.getByLabel('I have copied it').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return credential;
}
