import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startShell } from '@svc/testing';
import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

test.skipIf(!executablePath)(
  'two clicks show why a delivery failed, and that it arrives once the receiver is fixed',
  async () => {
    await using receiver = await startReceiver(503, 'The order database is down.');
    await using journey = await startJourney();
    const { page } = journey;
    await addEndpoint(journey, receiver.url);
    await cause(journey);
    await settle(journey);
    await journey.open('');
    const attention = page.locator('section.card', { has: page.getByRole('heading', { name: 'Needs attention' }) });
    await attention.getByText('503').waitFor();
    await attention.getByRole('link', { name: /^whd_/ }).click();
    await page.getByText('The order database is down.').waitFor();
    await expect.poll(() => page.locator('.sentence').textContent()).toContain('503');
    receiver.answer(204);
    await page.getByRole('button', { name: 'Advance to next attempt' }).click();
    await page.getByText('Attempt 2 delivered it').waitFor();
    await expect.poll(() => page.locator('.screen-head .status').textContent()).toBe('success');
  },
);

test.skipIf(!executablePath)(
  'journey 1: the overview appears without a click, and its snippet runs in a shell unchanged',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    await journey.open('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const snippet = await page.getByRole('region', { name: 'Trigger an event with curl' }).textContent();
    const { stdout } = await promisify(execFile)('sh', ['-c', snippet ?? '']);
    const { event } = JSON.parse(stdout) as { event: { id: string; type: string } };
    expect(event.type).toBe('lifecycle.evaluated');
    expect((await call('GET', `/v1/events/${event.id}`)).status).toBe(200);
  },
);

test.skipIf(!executablePath)(
  'one command leads from an empty workspace to its first delivery without a click',
  async () => {
    await using journey = await startJourney();
    const { page, server } = journey;
    await journey.open(`w/${demo.staging.id}`);
    const steps = page.getByRole('region', { name: 'Set up' });
    const command = await steps.getByRole('region', { name: 'Receive without code' }).textContent();
    expect(command).toBe(`SVC_API_KEY=${demo.staging.key} npx @svc/mock-server listen --server ${server.url}`);
    // In this folder, npx finds the built package by name.
    const cwd = join(import.meta.dirname, '../../../..');
    await using _listening = await startShell(command ?? '', cwd);
    await steps.getByText('success').waitFor();
    await steps.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByText('Attempt 1 delivered it').waitFor();
  },
);

test.skipIf(!executablePath)(
  'an empty workspace leads to the first delivery in three steps, which end with a ping',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page } = journey;
    await journey.open(`w/${demo.staging.id}`);
    const steps = page.getByRole('region', { name: 'Set up' });
    const ping = steps.getByRole('button', { name: 'Ping' });
    await expect.poll(() => ping.getAttribute('title')).toBe('Register an endpoint first');
    await page.getByLabel('It listens on port').fill('4567');
    await steps.getByRole('button', { name: 'Register endpoint' }).click();
    const url = page.getByRole('textbox', { name: 'URL' });
    await expect.poll(() => url.inputValue()).toBe('http://localhost:4567/webhooks');
    await url.fill(receiver.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Register endpoint' }).click();
    const start = await page.getByRole('region', { name: 'Start the receiver' }).textContent();
    expect(start).toMatch(/^SVC_WEBHOOK_SECRET=whsec_\S+ node receiver\.mjs$/);
    await page.getByLabel('I have copied it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await steps.getByText('is registered').waitFor();
    await ping.click();
    await steps.getByText('success').waitFor();
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'webhook.ping' });
    await steps.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByRole('heading', { name: /webhook\.ping/ }).waitFor();
    // The delivery exists, so the steps are done.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
    await steps.waitFor({ state: 'detached' });
  },
);

test.skipIf(!executablePath)('the overview can enable an endpoint that the service disabled', async () => {
  await using receiver = await startReceiver(503);
  await using journey = await startJourney();
  const { page, call } = journey;
  const endpoint = await addEndpoint(journey, receiver.url);
  await call('POST', '/_control/clock', { freeze: true });
  await cause(journey, 5);
  await settle(journey);
  await call('POST', '/_control/clock', { advance: '5d' });
  await journey.open('');
  await page.getByText('auto-disabled').waitFor();
  await page.getByRole('button', { name: /^Enable 127/ }).click();
  await page.getByText('Enabled.').first().waitFor();
  await expect
    .poll(async () => (await call('GET', `/v1/webhooks/endpoints/${endpoint.id}`)).body.endpoint.active)
    .toBe(true);
  await expect.poll(() => page.getByText('auto-disabled').count()).toBe(0);
});

test.skipIf(!executablePath)('deliveries being retried come before failed ones', async () => {
  await using receiver = await startReceiver(503);
  await using journey = await startJourney();
  const { page, call } = journey;
  const endpoint = await addEndpoint(journey, receiver.url);
  await call('POST', '/_control/clock', { freeze: true });
  await cause(journey, 6);
  await settle(journey);
  await call('POST', '/_control/clock', { advance: '5d' });
  await call('PATCH', `/v1/webhooks/endpoints/${endpoint.id}`, { active: true });
  await cause(journey);
  await settle(journey);
  await journey.open('');
  const attention = page.locator('section.card', { has: page.getByRole('heading', { name: 'Needs attention' }) });
  const rows = attention.getByRole('listitem');
  await rows.first().getByText('pending').waitFor();
  expect(await rows.count()).toBe(6);
  expect(await rows.nth(1).textContent()).toContain('failed');
  // Each line names its endpoint.
  expect(await rows.first().textContent()).toContain(new URL(receiver.url).host);
  await attention.getByRole('link', { name: 'All pending deliveries' }).waitFor();
  await attention.getByRole('link', { name: 'All failed deliveries' }).waitFor();
});
