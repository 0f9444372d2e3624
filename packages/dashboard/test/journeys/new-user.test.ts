import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

test.skipIf(!executablePath)(
  'two clicks show why a delivery failed, and that it arrives once the receiver is mended',
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
  'journey 1: the overview appears without a click, and its snippet runs in a shell as it is',
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
