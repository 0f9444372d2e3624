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
    expect(await page.locator('.sentence').textContent()).toContain('503');
    receiver.answer(204);
    await page.getByRole('button', { name: 'Advance to next attempt' }).click();
    await page.getByText('Attempt 2 delivered it').waitFor();
    await expect.poll(() => page.locator('.screen-head .status').textContent()).toBe('success');
  },
);
