import { executablePath } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from '../journeys/support/journey.ts';
import { type Receiver, startReceiver } from '../journeys/support/receiver.ts';

const W = `w/${demo.production.id}`;

describe.skipIf(!executablePath)('a selection', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver(200, '{"id":9007199254740993,"a":1,"a":2}'));
    journey = cleanup.use(await startJourney());
    await addEndpoint(journey, receiver.url);
  });
  afterAll(() => cleanup.disposeAsync());

  test('an open request has a URL that opens it for somebody else; closing it leads back', async () => {
    const { page, call } = journey;
    await call('GET', '/v1/me');
    await journey.open(`${W}/requests?method=GET`);
    const link = page.getByRole('link', { name: 'GET /v1/me' }).first();
    await link.click();
    const dialog = page.getByRole('dialog', { name: 'GET /v1/me' });
    await dialog.waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('method')).toBe('GET');
    const id = searchParams.get('request');
    const other = await journey.newPage();
    await other.goto(page.url());
    await other.getByRole('dialog', { name: 'GET /v1/me' }).waitFor();
    await page.goBack();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.goForward();
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect.poll(() => new URL(page.url()).search).toBe('?method=GET');
    // A filter that hides its row does not hide the request.
    await journey.open(`${W}/requests?method=POST&request=${id}`);
    await dialog.waitFor();
    await journey.open(`${W}/requests?request=01M8NONE`);
    await page
      .getByText(
        'The server has no such request. The server keeps the latest 1,000 requests in memory until it restarts or is reset.',
      )
      .waitFor();
    // A message of the stream may make the page read the request once more.
    const problems = journey.problems.splice(0);
    expect(problems).not.toEqual([]);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  test('a request shows which of its input the API ignored, and can be filtered by it', async () => {
    const { page, call } = journey;
    await call('GET', '/v1/me?createdAfter=1');
    await call('GET', '/v1/me');
    await journey.open(`${W}/requests`);
    await page.getByRole('row').filter({ hasText: 'createdAfter' }).getByText('ignored input').waitFor();
    await page.getByLabel('Ignored input').selectOption('true');
    await expect.poll(() => page.getByRole('link', { name: /^GET \/v1\/me$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'GET /v1/me?createdAfter=1' }).click();
    await page.getByRole('dialog').getByText('query.createdAfter').waitFor();
    await journey.open(`${W}/requests?ignored=false`);
    await page
      .getByRole('link', { name: /^GET \/v1\/me$/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('Response body').waitFor();
    expect(await page.getByRole('dialog').getByText('Ignored input').count()).toBe(0);
  });

  test('the palette leads from the id of a request to it', async () => {
    const { page, call } = journey;
    const [{ id }] = (await call('GET', '/_control/requests?path=/v1/me')).body.data;
    await journey.open(W);
    await page.getByRole('button', { name: /Search or paste/ }).click();
    await page.getByRole('combobox').fill(id);
    await page.getByRole('option', { name: id }).click();
    await page.getByRole('dialog', { name: 'GET /v1/me' }).waitFor();
  });

  test('a delivery lists its replays, and a replay its original; the body keeps all digits and names', async () => {
    const { page, call } = journey;
    const [original = ''] = await cause(journey);
    await settle(journey);
    await journey.open(`${W}/deliveries/${original}`);
    const facts = page.locator('.facts');
    await facts.locator('div', { hasText: /^Replaysnone$/ }).waitFor();
    await page.getByRole('region', { name: 'Response body' }).getByText('9007199254740993').waitFor();
    const shown = await page.getByRole('region', { name: 'Response body' }).textContent();
    expect(shown).toBe('{\n  "id": 9007199254740993,\n  "a": 1,\n  "a": 2\n}');
    const { body } = await call('POST', `/v1/webhooks/deliveries/${original}/replay`);
    const replay = facts.locator(`a[href$="${body.delivery.id}"]`);
    await replay.click();
    await facts.getByText('Replay of').waitFor();
    await facts.locator(`a[href$="${original}"]`).click();
    await replay.waitFor();
  });

  test('Escape leads from a delivery to its list, but not out of a menu, a field or a dialog', async () => {
    const { page } = journey;
    const [id = ''] = await cause(journey);
    await settle(journey);
    await journey.open(`${W}/deliveries/${id}`);
    const curl = page.getByRole('button', { name: 'Copy as curl' });
    await curl.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => curl.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('button', { name: 'Check signature' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toContain(id);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/deliveries$/);
  });

  test('Escape closes only the drawer in a narrow window', async () => {
    const page = await journey.newPage({ viewport: { width: 360, height: 800 } });
    const [id = ''] = await cause(journey);
    await journey.open(`${W}/deliveries/${id}`, page);
    const toggle = page.getByRole('button', { name: 'Menu' });
    await toggle.click();
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'API reference' }).waitFor({ state: 'hidden' });
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(page.url()).toContain(id);
    await page.context().close();
  });

  test('the absolute time of a row appears when the row gets keyboard focus', async () => {
    const { page } = journey;
    await journey.open(`${W}/requests`);
    const tip = () =>
      page.evaluate(() => {
        const time = document.querySelector('main time');
        return time && getComputedStyle(time, '::after').content;
      });
    await page
      .getByRole('link', { name: /\/v1\// })
      .first()
      .waitFor();
    expect(await tip()).toBe('none');
    await page.keyboard.press('j');
    await expect.poll(tip).toContain('real time');
    await journey.open(`${W}/api-keys`);
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .waitFor();
    expect(await tip()).toBe('none');
    await page
      .getByLabel('Filters')
      .or(page.getByRole('button', { name: 'Create API key' }))
      .first()
      .focus();
    await page.keyboard.press('Tab');
    await expect.poll(tip).toMatch(/UTC/);
  });
});

test.skipIf(!executablePath)('without a clipboard, copying selects the whole text', async () => {
  await using receiver = await startReceiver(503);
  await using journey = await startJourney();
  const { page, context } = journey;
  // As on plain HTTP under a name other than localhost.
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined }));
  await addEndpoint(journey, receiver.url);
  const [id = ''] = await cause(journey);
  await settle(journey);
  await journey.open(`${W}/deliveries/${id}`);
  const selected = () =>
    page.evaluate(() => {
      const field = document.activeElement;
      return field instanceof HTMLTextAreaElement
        ? field.value.slice(field.selectionStart, field.selectionEnd)
        : String(getSelection());
    });
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('button', { name: /Signed now/ }).click();
  await expect.poll(selected).toMatch(/^curl -X POST [\s\S]*webhook-signature: v1,[\s\S]*--data-raw/);
  await page.keyboard.press('Escape');
  // The page shows a shortened id.
  await page.getByRole('button', { name: `Copy ${id}` }).click();
  await expect.poll(selected).toBe(id);
  await page.keyboard.press('Escape');
  await journey.open(W);
  await page.getByTitle('Copy Trigger an event with curl').click();
  await expect.poll(selected).toMatch(/^curl -H [\s\S]*\/_control\/events$/);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test.skipIf(!executablePath)(
  'a disabled endpoint says since when it is disabled, even after later changes',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { freeze: true });
    await cause(journey, 5);
    await settle(journey);
    await call('POST', '/_control/clock', { advance: '4d' });
    const [event] = (await call('GET', '/v1/events?type=webhook.endpoint.auto_disabled')).body.data;
    await call('POST', '/_control/clock', { advance: '1d' });
    await call('PATCH', `/v1/webhooks/endpoints/${id}`, { description: 'still off' });
    await journey.open(`${W}/webhooks/${id}`);
    const banner = page.locator('.banner', { hasText: 'The service disabled this endpoint' });
    await expect.poll(() => banner.locator('time').getAttribute('datetime')).toBe(event.created);
  },
);

test.skipIf(!executablePath)("the account screen shows the service's details of each session", async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await journey.open(W);
  await page.getByRole('link', { name: 'Account' }).click();
  const facts = page.locator('.facts').last();
  await facts.getByText('API key').waitFor();
  await facts.getByText('workspace:developer:write').waitFor();
  await page.getByRole('link', { name: 'Vera Viewer' }).click();
  await facts.getByText('Viewer', { exact: true }).waitFor();
  await facts.getByText('workspace:developer:read').waitFor();
  expect(await facts.getByText('workspace:developer:write').count()).toBe(0);
});
