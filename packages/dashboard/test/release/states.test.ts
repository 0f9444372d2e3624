import { freePort } from '@svc/testing';
import { executablePath } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, signIn, startJourney } from '../journeys/support/journey.ts';
import { startReceiver } from '../journeys/support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)('a server of another version offers a reload', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  const clock = { now: new Date().toISOString(), offsetMs: 0, frozen: false, moving: false };
  let connections = 0;
  await page.route('**/_control/stream', async (route) => {
    const hello = { instanceId: 'one', dataId: 'none', version: connections++ === 0 ? '1.0.0' : '2.0.0', clock };
    await route.fulfill({ contentType: 'text/event-stream', body: `event: hello\ndata: ${JSON.stringify(hello)}\n\n` });
  });
  await journey.open(W);
  const banner = page.getByText('The server now runs another version.');
  await banner.waitFor();
  await page.unroute('**/_control/stream');
  await page.getByRole('button', { name: 'Reload' }).click();
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test.skipIf(!executablePath)('rows with a future time are marked after the clock is set back', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page, call } = journey;
  await addEndpoint(journey, receiver.url);
  await cause(journey);
  await call('POST', '/_control/clock', { advance: '12h' });
  await cause(journey);
  await settle(journey);
  await journey.open(`${W}/deliveries`);
  const ahead = page.getByRole('row', { name: /created ahead of the clock/ });
  await expect.poll(() => page.getByRole('row', { name: /lifecycle\.evaluated/ }).count()).toBeGreaterThan(1);
  expect(await ahead.count()).toBe(0);
  await page.getByRole('button', { name: 'More about time' }).click();
  await page.getByRole('button', { name: 'Back to real time' }).click();
  await expect.poll(() => ahead.count()).toBeGreaterThan(0);
  expect(await ahead.count()).toBeLessThan(await page.getByRole('row', { name: /lifecycle\.evaluated/ }).count());
  await journey.open(`${W}/events`);
  await expect.poll(() => ahead.count()).toBeGreaterThan(0);
});

test.skipIf(!executablePath)('pages that do not exist say what happened, why, and where to go', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  journey.allow(/status of 404/);
  const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
  const foreign = (await call('POST', '/v1/webhooks/endpoints', body, demo.staging.key)).body.endpoint.id;
  const main = page.getByRole('main');
  for (const [path, title, why, link] of [
    [`${W}/webhooks/${foreign}`, 'This endpoint does not exist', 'is in another workspace', 'Webhooks'],
    [`${W}/events/evt_01M823GWNPTGV3DVS95ABDJYXK`, 'This event does not exist', 'or it was deleted', 'Events'],
    ['w/wsp_none/deliveries', 'This workspace does not exist', 'was deleted', 'Go to the overview'],
    ['nowhere', 'This page does not exist', 'The address is wrong', 'Go to the overview'],
    ['w/%', 'This page does not exist', 'The address is wrong', 'Go to the overview'],
  ] as const) {
    await journey.open(path);
    await main.getByRole('heading', { name: title }).waitFor();
    await main.getByText(why).waitFor();
    await main.locator('.notice').getByRole('link', { name: link }).click();
    await page.getByRole('heading', { name: /^(Webhooks|Events|Overview)$/ }).waitFor();
  }
  // An item of another workspace is one click away.
  await journey.open(`${W}/webhooks/${foreign}`);
  await main.getByRole('link', { name: 'Open it in Acme / Staging' }).click();
  await page.getByRole('heading', { name: body.url }).waitFor();
  expect(new URL(page.url()).pathname).toContain(demo.staging.id);
});

test.skipIf(!executablePath)('an open item shows changes and its deletion', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page, call } = journey;
  const { id } = await addEndpoint(journey, receiver.url);
  const [deliveryId = ''] = await cause(journey);
  await settle(journey);
  await journey.open(`${W}/deliveries/${deliveryId}`);
  const replay = page.getByRole('button', { name: 'Replay', exact: true });
  await expect.poll(() => replay.isEnabled()).toBe(true);
  await call('PATCH', `/v1/webhooks/endpoints/${id}`, { active: false });
  await expect.poll(() => replay.getAttribute('title')).toBe('The endpoint is inactive');
  // If the button is pressed just before the page knows, the page shows the service's message.
  const conflict = await call('POST', `/v1/webhooks/deliveries/${deliveryId}/replay`);
  expect(conflict.status).toBe(409);
  journey.allow(/status of (409|404)/);
  await replay.evaluate((button: HTMLButtonElement) => {
    button.removeAttribute('aria-disabled');
    button.click();
  });
  await page.locator('.toasts').getByText(conflict.body.error.message).waitFor();

  await journey.open(`${W}/webhooks/${id}`);
  await page.getByRole('heading', { name: receiver.url }).waitFor();
  await call('DELETE', `/v1/webhooks/endpoints/${id}`);
  await page.getByRole('heading', { name: 'This endpoint does not exist' }).waitFor();
});

/** The number of streams that the pages of a context have open. */
function countStreams(page: Page): () => number {
  const open = new Set<unknown>();
  page.context().on('request', (request) => request.url().endsWith('/_control/stream') && open.add(request));
  page.context().on('requestfinished', (request) => open.delete(request));
  page.context().on('requestfailed', (request) => open.delete(request));
  return () => open.size;
}

test.skipIf(!executablePath)(
  'on plain HTTP under a name other than localhost, each tab reads the stream, and copying selects the text',
  async () => {
    const port = await freePort();
    const host = 'svc.test';
    const adminToken = 'let-me-in-9c41-and-many-more-letters';
    await using journey = await startJourney({
      server: { port, publicUrl: `http://${host}:${port}`, adminToken },
      host,
    });
    const { page } = journey;
    await addEndpoint(journey, 'http://127.0.0.1:9/');
    const [id = ''] = await cause(journey);
    // The browser ignores this header on such an address, and logs that for each page.
    journey.allow(/The Cross-Origin-Opener-Policy header has been ignored/);
    // Before the sign-in.
    journey.allow(/status of 401/);
    const streams = countStreams(page);
    await journey.open(`${W}/deliveries/${id}`);
    await signIn(page, adminToken);
    expect(await page.evaluate(() => [isSecureContext, 'locks' in navigator, 'clipboard' in navigator])).toEqual([
      false,
      false,
      false,
    ]);
    await page.locator('.time-now time').waitFor();
    const second = await journey.newPage();
    await journey.open(W, second);
    await signIn(second, adminToken);
    await second.locator('.time-now time').waitFor();
    await expect.poll(streams).toBe(2);
    await page.bringToFront();
    // The whole text is selected, even of an id that is shown shortened. Ctrl+C copies it.
    await page
      .locator('.screen-head')
      .getByRole('button', { name: `Copy ${id}` })
      .click();
    await page.keyboard.press('Control+C');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search or paste an id' }).focus();
    await page.keyboard.press('Control+V');
    await page.getByRole('option', { name: id }).waitFor();
    expect(await page.getByLabel('Text to copy').count()).toBe(0);
  },
);

test.skipIf(!executablePath)('a screen that is opened while the server is down waits for it', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page } = journey;
  await addEndpoint(journey, receiver.url);
  await cause(journey);
  await settle(journey);
  journey.allow(/net::ERR_FAILED/);
  await journey.open(W);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const [screen, calls, shown] of [
    ['Deliveries', '**/v1/webhooks/deliveries?*', 'lifecycle.evaluated'],
    ['Profiles', '**/_control/workspaces/*/profiles?*', 'Ada Lovelace'],
    ['Event types', '**/v1/webhooks/endpoints/event-types?*', 'lifecycle.evaluated'],
  ] as const) {
    await page.route(calls, (route) => route.abort());
    await page.getByRole('link', { name: screen, exact: true }).click();
    await page.getByRole('heading', { name: screen }).waitFor();
    await page.getByText('cannot respond at the moment').waitFor();
    expect(await page.getByText(/refuses|Cannot show|Failed to fetch/).count()).toBe(0);
    await page.unroute(calls);
    // The screen appears without a reload.
    await page.getByRole('main').getByText(shown).filter({ visible: true }).first().waitFor();
  }
});
