import { executablePath } from '@svc/testing/browser';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';

const W = `w/${demo.production.id}`;

async function heightOf(element: Locator): Promise<number> {
  await element.waitFor();
  return (await element.boundingBox())?.height ?? 0;
}

test.skipIf(!executablePath)('a long URL covers no other part of the screen, and fills no screen', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  const url = `http://127.0.0.1:9/${'x'.repeat(2_000)}`;
  const { id } = await addEndpoint(journey, url);
  const [delivery] = await cause(journey);
  await settle(journey);

  await journey.open(`${W}/deliveries/${delivery}`);
  await page.locator('.half').first().waitFor();
  const tooWide = await page
    .locator('.half')
    .evaluateAll((halves) => halves.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
  expect(tooWide).toBe(0);
  expect(await heightOf(page.getByRole('heading', { level: 1 }))).toBeLessThan(120);

  await journey.open(W);
  expect(await heightOf(page.getByRole('row', { name: /xxx/ }))).toBeLessThan(80);
  await journey.open(`${W}/webhooks`);
  expect(await heightOf(page.getByRole('row', { name: /xxx/ }))).toBeLessThan(80);
  await journey.open(`${W}/webhooks/${id}`);
  const title = page.getByRole('heading', { level: 1 });
  expect(await heightOf(title)).toBeLessThan(120);
  expect(await title.getByTitle(url).textContent()).toBe(url);

  await page.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog');
  expect(await heightOf(dialog.getByRole('button', { name: /^Rotate the secret of/ }))).toBeLessThan(100);
  const cancel = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox();
  const edge = await dialog.boundingBox();
  expect(cancel?.x ?? 0).toBeGreaterThan(edge?.x ?? 0);
});

test.skipIf(!executablePath)('a long name of an organization does not hide the name of its workspace', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  const { organization } = (await call('POST', '/_control/organizations', { name: 'W'.repeat(120) })).body;
  const named = { organizationId: organization.id, name: 'Staging of the shop' };
  const { workspace } = (await call('POST', '/_control/workspaces', named)).body;
  await journey.open(`w/${workspace.id}`);
  const name = page.locator('.switcher').getByText(named.name);
  await name.waitFor();
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const switcher = await page.locator('.switcher').boundingBox();
  const box = await name.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((switcher?.x ?? 0) + (switcher?.width ?? 0));
});
