import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)(
  'journey 11: buttons match the role that the page acts with, and a denied user sees nothing',
  async () => {
    await using journey = await startJourney();
    const { page } = journey;
    await addEndpoint(journey, 'http://127.0.0.1:9/');
    await journey.open(`${W}/webhooks`);
    const register = page.getByRole('button', { name: 'Register endpoint' });
    const actAs = async (name: string) => {
      await page.getByRole('button', { name: /^Acts as/ }).click();
      await page.getByRole('button', { name }).click();
    };
    await expect.poll(() => register.isEnabled()).toBe(true);
    await actAs('Vera Viewer');
    await expect.poll(() => register.isDisabled()).toBe(true);
    expect(await register.getAttribute('title')).toBe('Viewer: needs workspace:developer:write');
    await actAs('Olivia Owner');
    await expect.poll(() => register.isEnabled()).toBe(true);
    await actAs('Adam Admin');
    await journey.open(`w/${demo.staging.id}/webhooks`);
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    journey.problems.splice(0);
  },
);

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
  journey.problems.splice(0);
  await page.getByLabel('Timezone').fill('Asia/Tokyo');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  expect((await call('GET', `/v1/workspaces/${demo.production.id}`)).body.workspace.timezone).toBe('Asia/Tokyo');
});

test.skipIf(!executablePath)('journey 14: with every call of the API failing, the page works', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await journey.open('server/faults');
  await page.getByRole('button', { name: 'Inject a fault' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'API outage' }).click();
  await dialog.getByLabel(/^How often/).fill('');
  await dialog.getByText('Every request gets a 503.').waitFor();
  await dialog.getByRole('button', { name: 'Inject' }).click();
  await page.getByRole('link', { name: '1 fault in force' }).waitFor();
  expect((await call('GET', '/v1/me')).status).toBe(503);
  await expect
    .poll(() =>
      page
        .getByRole('row', { name: /Every request/ })
        .locator('td.num')
        .textContent(),
    )
    .toBe('1');
  await journey.open(`${W}/api-keys`);
  await page.getByRole('cell', { name: 'Acme Production' }).first().waitFor();
  await journey.open(`${W}/requests`);
  await page
    .getByRole('row', { name: /\/v1\/me/ })
    .getByText('fault')
    .waitFor();
  await journey.open('server/faults');
  await page.getByRole('button', { name: 'End all faults' }).click();
  await page.getByText('No faults').waitFor();
  expect((await call('GET', '/v1/me')).status).toBe(200);
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

test.skipIf(!executablePath)('journey 16: rows and screens are reached by keys alone', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page } = journey;
  await addEndpoint(journey, receiver.url);
  await cause(journey, 3);
  await settle(journey);
  await journey.open(W);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page
    .getByRole('row', { name: /lifecycle\.evaluated/ })
    .first()
    .waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Attempt 1 delivered it').waitFor();
  await page.keyboard.press('r');
  await page.getByText('Replayed.').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('search or paste an id').waitFor();
});

test.skipIf(!executablePath)('a reset with a seed that is not JSON says where', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await journey.open('server');
  await page.getByRole('button', { name: 'Reset the server' }).click();
  await page.getByLabel(/^Seed/).fill('{\n  "users": [,]\n}');
  await page.getByRole('button', { name: 'Wipe everything' }).click();
  await page.getByText(/line 2, column 13/).waitFor();
});
