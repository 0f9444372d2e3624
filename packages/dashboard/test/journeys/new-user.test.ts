import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LISTENER_DESCRIPTIONS } from '@svc/contract';
import { startShell } from '@svc/testing';
import { executablePath, findings } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { actAs } from './support/acting.ts';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from './support/journey.ts';
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
    await page.getByText('Attempt 2 succeeded').waitFor();
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
  'one command leads from an empty workspace to its first delivery without a click; the result stays after Ctrl+C',
  async () => {
    await using journey = await startJourney();
    const { page, server, call } = journey;
    await journey.open(`w/${demo.staging.id}`);
    const steps = page.getByRole('region', { name: 'Set up' });
    const first = steps.locator('.first-delivery');
    await first.getByText('Waiting for the command to run. The first delivery starts when the command runs.').waitFor();
    const snippet = steps.getByRole('region', { name: 'Receive without code' });
    // The page loads the key after its other data.
    await snippet.getByText(demo.staging.key).waitFor();
    const command = (await snippet.textContent()) ?? '';
    expect(command).toBe(`SVC_API_KEY=${demo.staging.key} npx @svc/mock-server listen --server ${server.url}`);
    const top = async () => (await steps.getByRole('heading', { name: 'Start a receiver' }).boundingBox())?.y;
    const before = await top();
    // In this folder, npx finds the built package by name.
    const cwd = join(import.meta.dirname, '../../../..');
    {
      await using _listening = await startShell(command, cwd);
      await first.getByText('success').waitFor();
      await first.getByText('Attempt 1 succeeded').waitFor();
      // The result moves nothing.
      expect(await top()).toBe(before);
      expect(await findings(page)).toEqual([]);
    }
    const endpoints = async () => (await call('GET', '/v1/webhooks/endpoints', undefined, demo.staging.key)).body.data;
    // The command ends after the shell, and deletes its endpoint.
    await expect.poll(endpoints).toEqual([]);
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor({ state: 'detached' });
    await first.getByText('Attempt 1 succeeded').waitFor();
    await first.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByRole('heading', { name: /webhook\.ping/ }).waitFor();
  },
);

/** Registers an endpoint in Production, as `svc-mock listen` does. */
const listen = ({ call }: Pick<Journey, 'call'>, url: string, kind: keyof typeof LISTENER_DESCRIPTIONS) => {
  const description = `${LISTENER_DESCRIPTIONS[kind]} this-machine`;
  return call('POST', '/v1/webhooks/endpoints', { url, subscribedEvents: ['*'], description });
};

test.skipIf(!executablePath)(
  'two windows send the first ping once, to the endpoint that responds by itself, and both show it',
  async () => {
    await using own = await startReceiver();
    await using responding = await startReceiver();
    await using journey = await startJourney();
    const { page } = journey;
    const second = await journey.newPage();
    const windows = [page, second];
    const firstOf = (one: Page) => one.getByRole('region', { name: 'Set up' }).locator('.first-delivery');
    for (const one of windows) {
      await journey.open(`w/${demo.production.id}`, one);
      await firstOf(one).getByText('Waiting for the command to run.').waitFor();
    }
    // A person's own receiver gets nothing that the person did not ask for.
    await listen(journey, own.url, 'forwards');
    for (const one of windows) await one.getByText('is registered').waitFor();
    await listen(journey, responding.url, 'responds');
    for (const one of windows) await firstOf(one).getByText('Attempt 1 succeeded').waitFor();
    expect([own.received.length, responding.received.length]).toEqual([0, 1]);
  },
);

test.skipIf(!executablePath)('a Viewer sees what runs, and that somebody else sends the first delivery', async () => {
  await using responding = await startReceiver();
  await using journey = await startJourney();
  const { page, call } = journey;
  await journey.open(`w/${demo.production.id}`);
  await actAs(page, 'Vera Viewer');
  const first = page.getByRole('region', { name: 'Set up' }).locator('.first-delivery');
  await first.getByText('This page sends no ping (Viewer: needs workspace:developer:write).').waitFor();
  await listen(journey, responding.url, 'responds');
  await first.getByText('The command is running. Trigger an event below.').waitFor();
  expect(responding.received).toEqual([]);
  await cause({ call });
  await first.getByText('Attempt 1 succeeded').waitFor();
  expect(responding.received).toHaveLength(1);
});

test.skipIf(!executablePath)('the set-up offers a new API key once', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  const organizations = (await call('GET', '/_control/organizations')).body.data;
  const made = await call('POST', '/_control/workspaces', { organizationId: organizations[0].id, name: 'New' });
  await journey.open(`w/${made.body.workspace.id}`);
  const steps = page.getByRole('region', { name: 'Set up' });
  const putIn = steps.getByRole('button', { name: 'Insert a new API key' });
  await putIn.waitFor();
  expect(await putIn.count()).toBe(1);
  await putIn.click();
  for (const name of ['Receive without code', 'Call the service']) {
    await expect.poll(() => steps.getByRole('region', { name }).textContent()).toMatch(/svc_sk_test_[\w-]/);
  }
});

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
    await page.getByLabel('The receiver listens on port').fill('4567');
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
