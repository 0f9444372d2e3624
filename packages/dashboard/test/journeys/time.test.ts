import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)('a time that the service refuses stays in its field, with the error', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await call('POST', '/_control/clock', { freeze: true });
  await journey.open(W);
  await page.getByRole('button', { name: 'More about time' }).click();
  const advance = page.getByLabel('Advance by');
  for (const wrong of ['5 m', '-5m', 'P1000Y', 'P9000000D']) {
    await advance.fill(wrong);
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await expect.poll(() => page.locator('#time-advance-problem').textContent()).toMatch(/must be|cannot/);
    expect(await advance.inputValue()).toBe(wrong);
  }
  const set = page.getByLabel(/Set to/);
  for (const [wrong, words] of [
    ['2001-01-01T00:00:00Z', 'Only a reset or a restore can set it back'],
    ['9999-06-01T00:00:00Z', 'year'],
    ['tomorrow', 'must be an ISO 8601 instant'],
  ] as const) {
    await set.fill(wrong);
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await expect.poll(() => page.locator('#time-set-problem').textContent()).toContain(words);
    expect(await set.inputValue()).toBe(wrong);
  }
  // The field can be corrected at once, and Escape still closes the menu.
  expect(await set.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await set.waitFor({ state: 'detached' });
  journey.allow(/status of 400 .*\/clock/);
});

test.skipIf(!executablePath)(
  '"next due" moves to the next attempt and reports what ran; freeze and run change the clock',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    await addEndpoint(journey, receiver.url);
    await cause(journey);
    await settle(journey);
    await journey.open(W);
    await page.getByRole('button', { name: 'Next due' }).click();
    await page.getByText('The clock moved: ran 1 attempt.').first().waitFor();
    await page.getByRole('button', { name: 'More about time' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.time-bar').getByText('running').waitFor();
    expect((await call('GET', '/_control/clock')).body.frozen).toBe(false);
  },
);

test.skipIf(!executablePath)(
  'the overview says what is due next in its workspace, and when work of another workspace comes first',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    await journey.open(W);
    const due = page.locator('section.card', { has: page.getByRole('heading', { name: 'Next due' }) });
    await due.getByText('No attempt of this workspace is due.').waitFor();
    const other = { url: receiver.url, subscribedEvents: ['*'] };
    await call('POST', '/v1/webhooks/endpoints', other, demo.staging.key);
    await call('POST', '/_control/events', { workspaceId: demo.staging.id, type: 'lifecycle.evaluated' });
    await settle(journey);
    await due.getByText(/^The next work of another workspace is due in 5 min/).waitFor();
    await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { advance: '1m' });
    await cause(journey);
    await settle(journey);
    // Each time has its absolute form too, which is not compared here.
    const absolute = /, \d+ \w+ \d{4}, [\d:]+ UTC[+\d]*/g;
    await expect
      .poll(async () => (await due.locator('p').allTextContents()).map((text) => text.replace(absolute, '')))
      .toEqual([
        'The next attempt of this workspace is due in 5 min.',
        'The next work of another workspace is due in 4 min, before that.',
      ]);
  },
);

test.skipIf(!executablePath)(
  'while a slow attempt is in flight, the overview says that the attempt was due',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page } = journey;
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.before = promise;
    await addEndpoint(journey, receiver.url);
    await cause(journey);
    await journey.open(W);
    await page.getByText(/^The next attempt of this workspace was due \d s ago/).waitFor();
    await page
      .getByRole('row', { name: /due \d s ago/ })
      .first()
      .waitFor();
    resolve();
  },
);

test.skipIf(!executablePath)('after the clock was set back, the overview marks deliveries as ahead of it', async () => {
  await using receiver = await startReceiver(503);
  await using journey = await startJourney();
  const { page, call } = journey;
  await addEndpoint(journey, receiver.url);
  await call('POST', '/_control/clock', { advance: '12h' });
  await cause(journey);
  await settle(journey);
  await call('POST', '/_control/clock', { reset: true });
  await journey.open(W);
  await page.locator('.lines li').getByText('created ahead of the clock').first().waitFor();
});

test.skipIf(!executablePath)('a restore is not called a loss of data', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await call('POST', '/_control/snapshots/before', {});
  await journey.open(`${W}/webhooks`);
  await page.getByText('No endpoints yet').waitFor();
  await call('POST', '/_control/snapshots/before/restore', {});
  await page.getByText('The server was reset or restored. All data was replaced.').first().waitFor();
});

test.skipIf(!executablePath)('a reset by anybody clears everything, and the page says so', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await addEndpoint(journey, 'http://127.0.0.1:9/before');
  await journey.open(`${W}/webhooks`);
  await page.getByText('127.0.0.1:9/before').waitFor();
  await call('POST', '/_control/reset', {});
  await page.getByText('The server was reset').first().waitFor();
  await page.getByRole('heading', { name: 'Start a receiver' }).waitFor();
  expect(await page.getByText('127.0.0.1:9/before').count()).toBe(0);
  journey.allow(/status of (401|404)/);
});

test.skipIf(!executablePath)('one tab of the browser reads the stream', async () => {
  await using journey = await startJourney();
  const streams = new Set<unknown>();
  journey.context.on('request', (request) => {
    if (request.url().endsWith('/_control/stream')) streams.add(request);
  });
  journey.context.on('requestfinished', (request) => streams.delete(request));
  journey.context.on('requestfailed', (request) => streams.delete(request));
  await journey.open(W);
  await journey.page.locator('.time-now time').waitFor();
  for (let tab = 0; tab < 3; tab++) {
    const page = await journey.newPage();
    await journey.open(W, page);
    await page.locator('.time-now time').waitFor();
  }
  expect(streams.size).toBe(1);
});
