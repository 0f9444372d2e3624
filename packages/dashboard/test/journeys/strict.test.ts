import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { expectNowhere } from './support/checks.ts';
import { demo, startJourney } from './support/journey.ts';

const TOKEN = 'let-me-in-9c41-and-many-more-letters';
const SESSION = 'svc-admin-session';

test.skipIf(!executablePath)(
  'journey 19: the strict profile responds with 401 without the token; a reload stays signed in, a new tab asks',
  async () => {
    await using journey = await startJourney({ server: { strict: true, adminToken: TOKEN } });
    const { page, server } = journey;
    // Calls without a token, with a wrong one and with a customer's key.
    const statusOf = async (path: string, authorization?: string) =>
      (await fetch(server.url + path, { headers: authorization === undefined ? {} : { authorization } })).status;
    for (const path of ['/_control/info', '/_control/stream', '/_control/organizations']) {
      expect(await statusOf(path)).toBe(401);
      expect(await statusOf(path, `Bearer ${TOKEN}x`)).toBe(401);
      expect(await statusOf(path, `Bearer ${demo.production.key}`)).toBe(401);
    }
    expect(await statusOf('/_control/info', `Bearer ${TOKEN}`)).toBe(200);

    journey.allow(/status of 401/);
    await journey.open('server');
    const field = page.getByLabel('Admin token');
    await field.fill(`${TOKEN}x`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not the admin token').waitFor();
    await field.fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The requested page opens.
    const signedIn = (on = page) => on.getByRole('button', { name: 'Reset the server' });
    await signedIn().waitFor();
    await expectNowhere(page, TOKEN);
    await page.reload();
    await signedIn().waitFor();
    await expectNowhere(page, TOKEN);

    const session = await page.evaluate((key) => sessionStorage.getItem(key), SESSION);
    expect(session).toMatch(/^svc_ses_/);
    expect(page.url()).not.toContain(session);
    // A session is valid for the control API only, and for this tab only.
    expect(await statusOf('/_control/info', `Bearer ${session}`)).toBe(200);
    expect(await statusOf('/v1/me', `Bearer ${session}`)).toBe(401);
    const second = await journey.newPage();
    await journey.open('server', second);
    await second.getByLabel('Admin token').waitFor();
    expect(await signedIn(second).count()).toBe(0);
    expect(await second.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
      session,
    );
    // A session that is rejected leads to the sign-in page, which returns here.
    await page.evaluate((key) => sessionStorage.setItem(key, 'svc_ses_forged'), SESSION);
    await page.reload();
    await field.fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn().waitFor();
  },
);
