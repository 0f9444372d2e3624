import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { demo, startJourney } from './support/journey.ts';

test.skipIf(!executablePath)(
  'journey 10: a key works at once, is refused at once when revoked, and is nowhere afterwards',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    await journey.open(`w/${demo.production.id}/api-keys`);
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name (optional)').fill('Journey');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const key = (await dialog.getByRole('region', { name: 'API key' }).textContent()) ?? '';
    expect(key).toMatch(/^svc_sk_test_/);
    await expect.poll(() => dialog.getByRole('region', { name: 'curl' }).textContent()).toContain(key);
    expect((await call('GET', '/v1/me', undefined, key)).status).toBe(200);
    await dialog.getByLabel('I have copied it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'Journey' }).first().waitFor();
    const everything = await page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, location.href, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(everything).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke Journey' }).click();
    await dialog.getByRole('button', { name: 'Revoke Journey' }).click();
    await page.getByRole('cell', { name: 'Journey' }).first().waitFor({ state: 'detached' });
    expect((await call('GET', '/v1/me', undefined, key)).status).toBe(401);
  },
);
