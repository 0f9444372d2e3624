import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, startJourney } from '../journeys/support/journey.ts';
import { startReceiver } from '../journeys/support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)(
  "a URL or description that the service refuses stays in its field, with the service's message",
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    journey.allow(/status of 400/);
    await journey.open(`${W}/webhooks`);
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByLabel('URL');
    const description = dialog.getByLabel(/^Description/);
    const register = dialog.getByRole('button', { name: 'Register endpoint' });
    const good = 'http://127.0.0.1:9/hook';
    const longest = `${good}?${'x'.repeat(2_048 - good.length - 1)}`;
    for (const wrong of [
      'http://user:pass@127.0.0.1:9/',
      `${good}#part`,
      `${longest}x`,
      'ftp://127.0.0.1/',
      'nothing',
    ]) {
      await url.fill(wrong);
      await register.click();
      const { status, body } = await call('POST', '/v1/webhooks/endpoints', { url: wrong, subscribedEvents: ['*'] });
      expect(status).toBe(400);
      await expect.poll(() => dialog.locator('#endpoint-url-problem').textContent()).toBe(body.error.message);
      expect(await url.inputValue()).toBe(wrong);
      expect(await url.getAttribute('aria-invalid')).toBe('true');
    }
    await url.fill(longest);
    await description.fill('😀'.repeat(501));
    await register.click();
    await expect.poll(() => dialog.locator('#endpoint-description-problem').textContent()).toContain('500');
    expect(await dialog.locator('#endpoint-url-problem').textContent()).toBe('');
    const emoji = '😀'.repeat(500);
    await description.fill(emoji);
    await register.click();
    await dialog.getByLabel('I have copied it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText(emoji).waitFor();
    await page.getByRole('table').getByRole('link').click();
    await page.getByRole('heading', { name: longest }).waitFor();
    await page.getByText(emoji).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  },
);

test.skipIf(!executablePath)(
  'filters typed into the URL are shown as chips that can be removed, and the list says why it is empty',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id: own } = await addEndpoint(journey, receiver.url);
    const body = { url: receiver.url, subscribedEvents: ['*'] };
    const foreign = (await call('POST', '/v1/webhooks/endpoints', body, demo.staging.key)).body.endpoint.id;
    await cause(journey);
    await settle(journey);
    journey.allow(/status of 400 .*\/deliveries\?/);
    const rows = page.getByRole('row', { name: /lifecycle\.evaluated/ });
    const open = (query: string) => journey.open(`${W}/deliveries?${query}`);
    const chips = () => page.getByRole('list', { name: 'Active filters' }).locator('.chip').allTextContents();
    const remove = (name: string) => page.getByRole('button', { name: `Remove the filter ${name}` }).click();

    await open(`status=lost&endpointId=${foreign}`);
    await page.getByText('Cannot show this list').waitFor();
    const refused = await call('GET', '/v1/webhooks/deliveries?status=lost');
    await page.getByText(refused.body.error.message).waitFor();
    expect(await chips()).toEqual([expect.stringMatching(/^Endpoint: whe_/), 'Status: lost']);
    await remove('Status');
    await page.getByText(/This workspace has no endpoint/).waitFor();
    expect(await chips()).toEqual([expect.stringMatching(/^Endpoint: whe_/)]);
    await remove('Endpoint');
    await rows.waitFor();
    expect(new URL(page.url()).search).toBe('');

    await open('createdFrom=2031-01-02T00:00:00Z&createdTo=2031-01-01T00:00:00Z');
    await page.getByText('“Created from” is later than “Created to”, so no delivery can match.').waitFor();
    expect(await chips()).toHaveLength(2);
    await remove('Created to');
    await remove('Created from');
    await rows.waitFor();

    await open('createdFrom=yesterday&eventType=%3Cb%3E&unknown=1');
    await page.getByText('Cannot show this list').waitFor();
    expect(await chips()).toEqual(['Type: <b>', 'Created from: yesterday']);
    await page.getByRole('link', { name: 'Clear all' }).click();
    await rows.waitFor();
    await open(`endpointId=${own}&status=success`);
    await rows.waitFor();
  },
);

test.skipIf(!executablePath)('JSON with a mistake is refused with its line and column, and kept', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  const dialog = page.getByRole('dialog');
  await journey.open('server');
  await page.getByRole('button', { name: 'Reset the server' }).click();
  const seed = '{\n  "users": [,]\n}';
  await page.getByLabel(/^Seed/).fill(seed);
  await dialog.getByRole('button', { name: 'Wipe everything' }).click();
  await dialog.getByText('This is not JSON: line 2, column 13.').waitFor();
  expect(await page.getByLabel(/^Seed/).inputValue()).toBe(seed);

  await journey.open(`${W}/events`);
  await page.getByRole('button', { name: 'Trigger an event' }).first().click();
  const subject = dialog.getByLabel(/^Subject/);
  for (const [text, place] of [
    ['{ "id": "wsp_1"\n  "type": "workspace" }', 'line 2, column 3'],
    ["{ 'id': 1 }", 'line 1, column 3'],
    ['{ "id": "wsp_1",', 'line 1, column 17'],
  ] as const) {
    await subject.fill(text);
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
    await dialog.getByText(`This is not JSON: ${place}.`).waitFor();
    expect(await subject.inputValue()).toBe(text);
  }
});

test.skipIf(!executablePath)(
  'the form for an event about an endpoint asks for the endpoint, and a wrong subject stays in its field',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    journey.allow(/status of 400 .*\/_control\/events/);
    const dialog = page.getByRole('dialog');
    const subject = dialog.getByLabel(/^Subject/);
    const trigger = dialog.getByRole('button', { name: 'Trigger', exact: true });
    await journey.open(`${W}/events`);
    await page.getByRole('button', { name: 'Trigger an event' }).first().click();
    const text = '{ "id": "whe_1", "type": "webhook_endpoint", "url": "/v1/webhooks/endpoints/whe_1" }';
    await subject.fill(text);
    await trigger.click();
    await dialog.getByText(/"events\.0\.subject" of lifecycle\.evaluated must be a workspace/).waitFor();
    expect(await subject.getAttribute('aria-invalid')).toBe('true');
    expect(await subject.inputValue()).toBe(text);

    await dialog.getByLabel(/^Type/).selectOption('webhook.endpoint.auto_disabled');
    expect(await dialog.getByRole('alert').textContent()).toBe('');
    const endpoint = dialog.getByLabel(/^Endpoint/);
    await expect.poll(() => endpoint.textContent()).toBe('This workspace has no endpoints');
    await trigger.click();
    expect(await endpoint.evaluate((select: HTMLSelectElement) => select.validity.valueMissing)).toBe(true);
    await addEndpoint(journey, 'http://127.0.0.1:9/one');
    const { id } = await addEndpoint(journey, 'http://127.0.0.1:9/two');
    await endpoint.selectOption('127.0.0.1:9/two');
    await trigger.click();
    await page.getByText('Triggered 1 event').first().waitFor();
    const { data } = (await call('GET', '/v1/events')).body;
    expect(data).toMatchObject([
      {
        type: 'webhook.endpoint.auto_disabled',
        subject: { id, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${id}` },
      },
    ]);
  },
);

test.skipIf(!executablePath)('a list that the server refuses can be shown without its filters', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  journey.allow(/status of 400/);
  await call('GET', '/v1/me');
  for (const [path, why, shown] of [
    ['profiles?state=none', 'must be one of new', page.getByRole('row', { name: 'Liam Walsh' })],
    ['requests?status=none', 'must be a status', page.getByRole('row', { name: '/v1/me' })],
  ] as const) {
    await journey.open(`w/${demo.production.id}/${path}`);
    await page.getByRole('alert').getByText(why).waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await shown.waitFor();
    expect(new URL(page.url()).search).toBe('');
  }
});
