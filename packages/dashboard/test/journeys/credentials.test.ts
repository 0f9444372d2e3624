import { executablePath } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNowhere } from './support/checks.ts';
import { createCredential } from './support/create-credential.ts';
import { demo, startJourney } from './support/journey.ts';

async function revoke(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Revoke ${name}` })
    .click();
  await page.getByText(`Revoked ${name}.`).first().waitFor();
}

test.skipIf(!executablePath).each([
  ['a key', `w/${demo.production.id}/api-keys`, 'API key', /^svc_sk_test_/],
  ['a token', 'account/usr_01DEM0000000000000000WNER0', 'token', /^svc_pat_test_/],
] as const)(
  'journey 10: %s works at once, is refused at once after it is revoked, and does not stay in the page',
  async (_what, path, what, form) => {
    await using journey = await startJourney();
    const { page, call } = journey;
    await journey.open(path);
    const credential = await createCredential(journey, what, 'Journey');
    expect(credential).toMatch(form);
    const row = page.getByRole('row', { name: /^Journey/ });
    await row.waitFor();
    await expectNowhere(page, credential);
    expect((await call('GET', '/v1/me', undefined, credential)).status).toBe(200);

    await revoke(page, 'Journey');
    expect((await call('GET', '/v1/me', undefined, credential)).status).toBe(401);
    await row.waitFor({ state: 'detached' });
    await expectNowhere(page, credential);
    await page.reload();
    await page.getByRole('button', { name: `Create ${what}` }).waitFor();
    await expectNowhere(page, credential);
  },
);
