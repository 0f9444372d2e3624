import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

/** Reads and changes data through the API of the service, on the page. */
async function useThePage(journey: Journey, endpointId: string): Promise<void> {
  const { page } = journey;
  await journey.open(`${W}/deliveries`);
  await page
    .getByRole('row', { name: /lifecycle\.evaluated/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { name: 'Response' }).waitFor();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('This is the new delivery.').first().waitFor();
  await page.getByText('Attempt 1 succeeded').waitFor();
  for (const [screen, heading] of [
    [`${W}/webhooks/${endpointId}`, 'Secrets'],
    [`${W}/events`, 'Events'],
    [`${W}/api-keys`, 'API keys'],
  ] as const) {
    await journey.open(screen);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await expect.poll(() => page.locator('main .skeleton').count()).toBe(0);
    expect(await page.getByText(/Cannot (show|reach)|cannot respond|refuses/).count()).toBe(0);
  }
}

test.skipIf(!executablePath)('journey 14: the page works while every API call fails', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page, call } = journey;
  const { id } = await addEndpoint(journey, receiver.url);
  await cause(journey);
  await settle(journey);
  await journey.open('server/faults');
  await page.getByRole('button', { name: 'Inject a fault' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'API outage' }).click();
  await dialog.getByLabel(/^How many times/).fill('');
  await dialog.getByText('Every request gets a 503.').waitFor();
  await dialog.getByRole('button', { name: 'Inject' }).click();
  await page.getByRole('link', { name: '1 active fault' }).waitFor();
  expect((await call('GET', '/v1/me')).status).toBe(503);
  await expect
    .poll(() =>
      page
        .getByRole('row', { name: /Every request/ })
        .locator('td.num')
        .textContent(),
    )
    .toBe('1');
  await useThePage(journey, id);
  expect((await call('GET', '/v1/me')).status).toBe(503);
  await journey.open(`${W}/requests`);
  await page
    .getByRole('row', { name: /\/v1\/me/ })
    .first()
    .getByText('fault')
    .waitFor();
  await journey.open('server/faults');
  await page.getByRole('button', { name: 'Remove all faults' }).click();
  await page.getByText('No faults').waitFor();
  expect((await call('GET', '/v1/me')).status).toBe(200);
});

test.skipIf(!executablePath)(
  'journey 14: the page works after the rate limit is used up, and does not count towards it',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await cause(journey);
    await settle(journey);
    const limited = async () => (await call('GET', '/v1/me')).status === 429;
    await Promise.all(Array.from({ length: 300 }, limited));
    expect(await limited()).toBe(true);
    await useThePage(journey, id);
    expect(await limited()).toBe(true);
    // The log has the requests of the customer, and none of the page.
    await journey.open(`${W}/requests?status=429`);
    await page
      .getByRole('row', { name: /\/v1\/me/ })
      .first()
      .waitFor();
    const { data } = (await call('GET', '/_control/requests?limit=100&path=/v1/webhooks')).body;
    expect(data.map(({ operation }: { operation: string }) => operation)).toEqual(['createWebhookEndpoint']);
  },
);

test.skipIf(!executablePath)('a number of a fault can be typed, also if it begins with 0', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await journey.open('server/faults');
  await page.getByRole('button', { name: 'Inject a fault' }).first().click();
  const dialog = page.getByRole('dialog');
  const probability = dialog.getByLabel('Probability');
  await probability.press('Control+A');
  await probability.pressSequentially('0.5');
  expect(await probability.inputValue()).toBe('0.5');
  await dialog.getByText('The next 2 attempts will get a 503, 50 % of the time.').waitFor();
  await probability.fill('');
  await dialog.getByRole('button', { name: 'Inject' }).click();
  // The form keeps an empty number, and is not sent.
  expect(await probability.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
  await probability.fill('0.25');
  await dialog.getByRole('button', { name: 'Inject' }).click();
  await page.getByRole('row', { name: /25 % of the time/ }).waitFor();
});
