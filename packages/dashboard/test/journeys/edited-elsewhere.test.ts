import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, demo, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)(
  'settings keep what is typed, and save only that, if somebody else changes others',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    const path = `/v1/workspaces/${demo.production.id}`;
    await journey.open(`${W}/settings`);
    await page.getByLabel('Name').fill('Typed here');
    const heard = page.waitForResponse(
      (response) => response.url().endsWith(path) && response.request().method() === 'GET',
    );
    await call('PATCH', path, { timezone: 'Asia/Tokyo' });
    await (await heard).finished();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed here');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    expect((await call('GET', path)).body.workspace).toMatchObject({ name: 'Typed here', timezone: 'Asia/Tokyo' });
    await expect.poll(() => page.getByLabel('Timezone').inputValue()).toBe('Asia/Tokyo');
  },
);

test.skipIf(!executablePath)('the form of an endpoint saves only the fields that were edited in it', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page, call } = journey;
  const { id } = await addEndpoint(journey, receiver.url);
  const path = `/v1/webhooks/endpoints/${id}`;
  await journey.open(`${W}/webhooks/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('Edited here');
  await call('PATCH', path, { subscribedEvents: ['webhook.*'] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  expect((await call('GET', path)).body.endpoint).toMatchObject({
    description: 'Edited here',
    subscribedEvents: ['webhook.*'],
  });
});
