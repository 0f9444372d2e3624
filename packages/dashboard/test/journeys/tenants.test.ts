import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)('roles and overrides are set, and the resolved role follows', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await journey.open(`${W}/members`);
  const row = page.getByRole('row', { name: /Vera Viewer/ });
  await row.getByLabel(/^Override/).selectOption('None');
  await row.getByText('no access').waitFor();
  const refused = await call('GET', `/v1/workspaces/${demo.production.id}`, undefined, 'svc_pat_test_demo_acme_viewer');
  expect(refused.status).toBe(403);
  await row.getByLabel(/^Override/).selectOption('');
  await row.getByLabel(/^Role/).selectOption('Admin');
  await expect.poll(() => row.locator('.badge').textContent()).toBe('Admin');
});

test.skipIf(!executablePath)("a workspace's settings are saved, and refused in the service's words", async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await journey.open(`${W}/settings`);
  await page.getByLabel('Timezone').fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.locator('#settings-timezone-problem').textContent()).toContain('timezone');
  journey.allow(/status of 400/);
  await page.getByLabel('Timezone').fill('Asia/Tokyo');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  expect((await call('GET', `/v1/workspaces/${demo.production.id}`)).body.workspace.timezone).toBe('Asia/Tokyo');
});

test.skipIf(!executablePath)('any id opens its screen, in any workspace; other words find screens', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page } = journey;
  await addEndpoint(journey, receiver.url);
  const [id = ''] = await cause(journey);
  await settle(journey);
  await journey.open(`w/${demo.staging.id}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or paste an id' });
  await field.fill(id);
  await page.getByRole('option', { name: id }).waitFor();
  await field.press('Enter');
  await page.getByText('Attempt 1 delivered it').waitFor();
  expect(page.url()).toContain(demo.production.id);
  await page.keyboard.press('Control+k');
  await field.fill('api k');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
});
