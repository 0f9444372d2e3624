import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)('with forced colors, the selected entry and the pressed button are marked', async () => {
  await using journey = await startJourney();
  const page = await journey.newPage({ forcedColors: 'active' });
  await addEndpoint(journey, 'http://127.0.0.1:9/');
  const [id] = await cause(journey);
  await settle(journey);
  await journey.open(`${W}/deliveries/${id}`, page);
  const pretty = page.getByRole('button', { name: 'Pretty' });
  await pretty.waitFor();
  expect(await pretty.evaluate((button) => getComputedStyle(button).outlineStyle)).toBe('solid');
  await page.keyboard.press('Control+k');
  const selected = page.getByRole('option', { selected: true });
  await selected.waitFor();
  expect(await selected.evaluate((option) => getComputedStyle(option).outlineStyle)).toBe('solid');
});

test.skipIf(!executablePath)('on paper, a screen has its whole length', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await page.setViewportSize({ width: 800, height: 300 });
  await addEndpoint(journey, 'http://127.0.0.1:9/');
  const [id] = await cause(journey);
  await settle(journey);
  await journey.open(`${W}/deliveries/${id}`);
  await page.getByText('Connection refused').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const { length, left } = await page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement;
    return { length: document.documentElement.scrollHeight, left: main.scrollHeight - main.clientHeight };
  });
  expect(length).toBeGreaterThan(600);
  expect(left).toBe(0);
  expect(await page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false);
});
