import { createHmac } from 'node:crypto';
import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { expectNowhere } from './support/checks.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)(
  'journey 2: an endpoint is registered, its secret is shown once, and the ping verifies',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page } = journey;
    await journey.open(`${W}/webhooks`);
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Register endpoint' }).click();
    const shown = dialog.getByRole('region', { name: 'signing secret' });
    const secret = (await shown.textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    // The secret is shown alone, in the line for .env and in the line that starts the receiver, but in no attribute.
    const places = await page.evaluate(
      (text) =>
        [document.documentElement.outerHTML, document.querySelector('dialog')?.textContent ?? ''].map(
          (all) => all.split(text).length - 1,
        ),
      secret,
    );
    expect(places).toEqual([3, 3]);
    expect(await dialog.getByRole('region', { name: '.env' }).textContent()).toBe(`SVC_WEBHOOK_SECRET=${secret}`);
    expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('I have copied it').check();
    // Under the open dialog, nobody could click it.
    expect(await page.locator('.toast').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectNowhere(page, secret);

    const registered = page.locator('.toast', { hasText: 'Registered' });
    await registered.getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await page.getByRole('button', { name: 'Ping' }).click();
    await expect.poll(() => receiver.received.length).toBe(1);
    const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = receiver.received;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64url');
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
    await page.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByText('Attempt 1 succeeded').waitFor();
  },
);

test.skipIf(!executablePath)(
  'the form of an endpoint says what a glob matches only once the catalog is there',
  async () => {
    await using journey = await startJourney();
    const { page } = journey;
    const catalog = Promise.withResolvers<void>();
    await page.route('**/v1/webhooks/endpoints/event-types?*', async (route) => {
      await catalog.promise;
      await route.continue();
    });
    await journey.open(`${W}/webhooks`);
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    const group = page.getByRole('group', { name: 'Subscribes to' });
    await group.getByText('lifecycle.*').waitFor();
    expect(await group.innerText()).not.toContain('matches');
    catalog.resolve();
    await group.getByText('matches lifecycle.evaluated', { exact: true }).waitFor();
  },
);

test.skipIf(!executablePath)(
  'journey 7: two rotations result in three signatures, and their countdowns end at the virtual hour',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { freeze: true });
    await journey.open(`${W}/webhooks/${id}`);
    for (let rotation = 0; rotation < 2; rotation++) {
      await page.getByRole('button', { name: 'Rotate the signing secret' }).click();
      await page.getByRole('button', { name: /^Rotate the secret of/ }).click();
      await page.getByLabel('I have copied it').check();
      await page.getByRole('button', { name: 'Done' }).click();
    }
    await expect.poll(() => page.getByText('still signs for 1 d').count()).toBe(2);
    await cause(journey);
    await settle(journey);
    expect(receiver.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(3);
    await call('POST', '/_control/clock', { advance: '23h' });
    await expect.poll(() => page.getByText('still signs for 1 h').count()).toBe(2);
    await call('POST', '/_control/clock', { advance: '1h' });
    await expect.poll(() => page.getByText('expired').count()).toBe(2);
    await cause(journey);
    await settle(journey);
    expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  },
);

test.skipIf(!executablePath)('a button that names the endpoint deletes it', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  const { id } = await addEndpoint(journey, 'http://127.0.0.1:9/gone');
  await journey.open(`${W}/webhooks/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Delete 127.0.0.1:9/gone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 127.0.0.1:9/gone' }).click();
  await page.getByText('No endpoints yet').waitFor();
  expect((await call('GET', `/v1/webhooks/endpoints/${id}`)).status).toBe(404);
  journey.allow(/status of 404/);
});

test.skipIf(!executablePath)(
  'an endpoint whose attempts fail shows that it is being retried, until one succeeds',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { freeze: true });
    const screens = [
      [W, page.getByRole('row')],
      [`${W}/webhooks`, page.getByRole('row')],
      [`${W}/webhooks/${id}`, page.locator('.screen-head')],
    ] as const;
    const expectMark = async (word: string) => {
      for (const [path, place] of screens) {
        await journey.open(path);
        const mark = place.locator('.status').getByText(word, { exact: true });
        await mark.waitFor();
        expect(await place.locator('.status').count()).toBe(1);
      }
    };
    await expectMark('active');
    await cause(journey);
    await settle(journey);
    // The open screen updates without a reload.
    await page.locator('.screen-head').getByText('retrying', { exact: true }).waitFor();
    await expectMark('retrying');
    receiver.answer(204);
    await call('POST', '/_control/clock', { advance: '5m' });
    await page.locator('.screen-head').getByText('active', { exact: true }).waitFor();
    await expectMark('active');
  },
);

test.skipIf(!executablePath)(
  "an endpoint's deliveries have a URL with a filter, and do not repeat the endpoint",
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await addEndpoint(journey, `${receiver.url}/other`);
    await cause(journey);
    await settle(journey);
    receiver.answer(204);
    await cause(journey, 2);
    await settle(journey);
    await journey.open(`${W}/webhooks/${id}`);
    const table = page.getByRole('table', { name: 'Deliveries, newest first' });
    const cells = table.getByRole('cell');
    const rows = async () => (await table.getByRole('row').count()) - 1;
    await expect.poll(rows).toBe(3);
    expect(await table.getByRole('columnheader').allTextContents()).not.toContain('Endpoint');
    expect((await cells.allTextContents()).join()).not.toContain(new URL(receiver.url).host);
    const status = page.getByRole('search', { name: 'Filters' }).getByLabel('Status');
    await status.selectOption('pending');
    await expect.poll(rows).toBe(1);
    expect(new URL(page.url()).search).toBe('?status=pending');
    await page.reload();
    await expect.poll(rows).toBe(1);
    expect(await status.inputValue()).toBe('pending');
    await page.goBack();
    await expect.poll(rows).toBe(3);
    // A filter without matches, and a filter that the service does not know, lead back to the whole list.
    for (const [unfit, said] of [
      ['failed', 'No delivery matches'],
      ['lost', 'Cannot show this list'],
    ] as const) {
      await journey.open(`${W}/webhooks/${id}?status=${unfit}`);
      await page.getByRole('heading', { name: said }).waitFor();
      expect(await status.inputValue()).toBe(unfit);
      await page.getByRole('link', { name: 'Remove all filters' }).click();
      await expect.poll(rows).toBe(3);
      expect(page.url()).toMatch(new RegExp(`/webhooks/${id}$`));
    }
    journey.allow(/status of 400/);
    // The list of all deliveries still names each endpoint.
    await journey.open(`${W}/deliveries`);
    await table.getByRole('columnheader', { name: 'Endpoint' }).waitFor();
  },
);
