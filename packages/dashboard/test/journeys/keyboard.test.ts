import { executablePath } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectVisibleFocus } from './support/checks.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;
/** More tab stops than any screen has. */
const STOPS_MAX = 100;

/** The approximate accessible name of the focused element: its label, or else its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label');
    return (label || element.textContent || '').trim();
  });

/** Presses Tab until the element with this name has the focus. Checks that the focus is visible at every stop. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press(key);
    await expectVisibleFocus(page);
    const now = await focused(page);
    if (name.test(now)) return;
    passed.push(now);
  }
  throw new Error(`Tab never reaches ${name}, but: ${passed.join(' | ')}`);
}

test.skipIf(!executablePath)(
  'journey 16: the keyboard alone registers an endpoint, triggers an event, opens its delivery and replays it, with visible focus',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    await journey.open(W);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await tabTo(page, /^Register endpoint$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // A dialog starts with the focus in its first field.
    expect(await focused(page)).toMatch(/^URL/);
    await expectVisibleFocus(page);
    await page.keyboard.type(receiver.url);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'signing secret' }).waitFor();
    await tabTo(page, /^I have copied it$/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Done$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus returns to where it was before the dialog.
    await expect.poll(() => focused(page)).toBe('Register endpoint');

    await page.locator('a.row-link').waitFor();
    await page.keyboard.press('j');
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await tabTo(page, /^Ping$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => receiver.received.length).toBe(1);
    await settle(journey);

    await page.keyboard.press('g');
    await page.keyboard.press('d');
    const row = page.getByRole('row', { name: /webhook\.ping/ });
    await row.waitFor();
    await page.keyboard.press('j');
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await page.getByText('Attempt 1 succeeded').waitFor();
    const original = new URL(page.url()).pathname;
    await tabTo(page, /^Replay$/);
    await page.keyboard.press('Enter');
    await page.getByText('Replayed. This is the new delivery.').first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(original);
    await page.getByText('Attempt 1 succeeded').waitFor();
    await tabTo(page, /^Back to whd_/);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(original);
    expect(receiver.received).toHaveLength(2);
    expect((await call('GET', '/v1/webhooks/deliveries')).body.data).toHaveLength(2);
  },
);

test.skipIf(!executablePath)('journey 16: single keys reach rows and screens, and replay', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page } = journey;
  await addEndpoint(journey, receiver.url);
  await cause(journey, 3);
  await settle(journey);
  await journey.open(W);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page
    .getByRole('row', { name: /lifecycle\.evaluated/ })
    .first()
    .waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Attempt 1 succeeded').waitFor();
  await page.keyboard.press('c');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl /);
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.getByText('Replayed.').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('search or paste an id').waitFor();
});

test.skipIf(!executablePath)('the button that pauses and enables an endpoint keeps the focus', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  const { id } = await addEndpoint(journey, 'http://127.0.0.1:9/');
  await journey.open(`${W}/webhooks/${id}`);
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  expect(await focused(page)).toBe('Enable');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await focused(page)).toBe('Pause');
});
