import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, demo, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;
const PROFILES = 10_000;

test.skipIf(!executablePath)(
  'journey 21: profiles are imported from a file and evaluated; the delivery and the states appear',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page } = journey;
    await addEndpoint(journey, receiver.url);
    await journey.open(`${W}/lifecycle`);
    await page.getByRole('button', { name: 'Import a file' }).first().click();
    const dialog = page.getByRole('dialog');
    const profiles = Array.from({ length: PROFILES }, (_, index) =>
      JSON.stringify({ externalId: `u${index}`, name: `User ${index}`, attributes: { note: 'x'.repeat(200) } }),
    );
    const lines = [...profiles, 'not a profile'].join('\n');
    await dialog.getByLabel('File').setInputFiles({
      name: 'profiles.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(lines),
    });
    // Record the values of the bar while the file is sent.
    const seen = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const values: number[] = [];
          new MutationObserver((_, observer) => {
            const bar = document.querySelector<HTMLProgressElement>('dialog progress');
            if (bar) values.push(bar.value);
            if (!document.querySelector('dialog')?.textContent?.includes('Done:')) return;
            observer.disconnect();
            resolve(values);
          }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        }),
    );
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Done: 10,000 created, 1 rejected.').waitFor();
    expect(Math.max(...(await seen))).toBe(Buffer.byteLength(lines));
    await dialog.getByText('1 rejected line').click();
    await dialog.getByRole('cell', { name: '10,001' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('button', { name: 'Evaluate now' }).click();
    await page
      .getByText(/^Evaluated 10,040 profiles; 10,0\d\d changed\.$/)
      .first()
      .waitFor();
    await expect
      .poll(() => page.getByRole('img', { name: /^States over the last/ }).getAttribute('aria-label'))
      .toMatch(/new 10,0\d\d/);
    await page.getByRole('link', { name: 'Open the event' }).click();
    await page.getByText('success').first().waitFor();
    expect(JSON.parse(receiver.received[0]?.body ?? '{}').type).toBe('lifecycle.evaluated');
  },
);

test.skipIf(!executablePath)('profiles are filtered by state, searched, opened and deleted', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await journey.open(`${W}/profiles?state=churned`);
  const rows = page.getByRole('table').getByRole('link');
  await expect.poll(() => rows.count()).toBe(6);
  await page.getByLabel('State').selectOption('');
  await page.getByLabel('Search profiles').fill('love');
  await expect.poll(() => rows.count()).toBe(1);
  expect(page.url()).toContain('q=love');
  await rows.first().click();
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await page.getByText(/^Active on \d+ of 28 days|^Not active on any/).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete Ada Lovelace' }).click();
  await page.getByText('Deleted Ada Lovelace.').first().waitFor();
  const { body } = await call('GET', `/_control/workspaces/${demo.production.id}/profiles?q=lovelace`);
  expect(body.data).toEqual([]);
  // The page may have requested the profile once more before it navigated away.
  journey.allow(/status of 404/);
});

test.skipIf(!executablePath)(
  'a data source that the server refuses keeps the input; a sync that fails says why',
  async () => {
    await using journey = await startJourney();
    const { page } = journey;
    await journey.open(`${W}/lifecycle`);
    // A button that cannot work says why, also to a keyboard.
    const sync = page.getByRole('button', { name: 'Sync now' });
    await expect.poll(() => sync.getAttribute('aria-disabled')).toBe('true');
    await sync.press('Enter');
    await page
      .locator('.toasts')
      .getByText('Profiles are pushed to this workspace, so there is no data source to read')
      .waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Profiles are').selectOption('ndjson');
    await dialog.getByLabel(/^Location/).fill('ftp://files.test/profiles');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('#source-problem').textContent()).toContain('location');
    expect(await dialog.getByLabel(/^Location/).inputValue()).toBe('ftp://files.test/profiles');
    journey.allow(/status of 400/);
    await dialog.getByLabel(/^Location/).fill('/nowhere/profiles.ndjson');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('/nowhere/profiles.ndjson').first().waitFor();
    await sync.click();
    await page.getByText(/^Last sync/).waitFor();
    await expect.poll(() => page.locator('.card b.tone-bad').first().textContent()).toMatch(/nowhere|file/i);
  },
);
