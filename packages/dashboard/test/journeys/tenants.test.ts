import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
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

test.skipIf(!executablePath)("a workspace's settings are saved, or refused with the service's message", async () => {
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
  await page.getByText('Attempt 1 succeeded').waitFor();
  expect(page.url()).toContain(demo.production.id);
  await page.keyboard.press('Control+k');
  await field.fill('api k');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
});

test.skipIf(!executablePath)(
  'long lists of workspaces, organizations and users have a filter, and short ones do not',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    const switcher = page.getByRole('button', { name: /Production$|Many 7/ });
    const filter = (label: string) => page.getByRole('searchbox', { name: label });
    await journey.open(W);
    await switcher.click();
    await page.getByRole('link', { name: 'Staging' }).waitFor();
    expect(await filter('Filter workspaces').count()).toBe(0);
    for (let number = 1; number <= 10; number++) {
      const { organization } = (await call('POST', '/_control/organizations', { name: `Tenant ${number}` })).body;
      await call('POST', '/_control/workspaces', { organizationId: organization.id, name: `Many ${number}` });
      await call('POST', '/_control/users', { name: `User ${number}`, email: `user${number}@example.com` });
    }
    await journey.open('server');
    await filter('Filter organizations').fill('many 10');
    await expect.poll(() => page.locator('.tenants a').allTextContents()).toEqual(['Many 10']);
    await filter('Filter organizations').fill('nobody');
    await page.getByText('No match.').waitFor();
    await filter('Filter users').fill('user10@');
    await expect.poll(() => page.getByRole('row').count()).toBe(1);
    await journey.open(W);
    await switcher.click();
    // People can type at once, and Enter opens the first match.
    await expect
      .poll(() => filter('Filter workspaces').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type('nobody');
    await page.getByText('No workspace matches.').waitFor();
    await filter('Filter workspaces').fill('tenant 7');
    await expect.poll(() => page.locator('.panel-group a').allTextContents()).toEqual(['Many 7']);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Many 7/ }).waitFor();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  },
);

test.skipIf(!executablePath)(
  'an empty server is set up with an organization, a workspace and a first user',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', '/_control/reset', { seed: {} });
    await journey.open('');
    await page.getByRole('heading', { name: 'Create a workspace' }).waitFor();
    await page.getByLabel('Organization', { exact: true }).fill('Initech');
    await page.getByLabel('Workspace', { exact: true }).fill('Main');
    await page.getByLabel('First user (optional)').fill('bill@initech');
    const submit = page.getByRole('button', { name: 'Create workspace' });
    // A user needs both fields, so the browser asks for the name.
    await submit.click();
    expect(await page.getByLabel('Name of the user').evaluate((field: HTMLInputElement) => field.validity.valid)).toBe(
      false,
    );
    await page.getByLabel('Name of the user').fill('Bill');
    await submit.click();
    // The service refuses the address. Everything created before stays, and is not created twice.
    await page.getByRole('alert').getByText('email').waitFor();
    journey.allow(/status of 400/);
    await page.getByLabel('First user (optional)').fill('bill@initech.example');
    await submit.click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const { data } = (await call('GET', '/_control/organizations')).body;
    expect(data).toMatchObject([{ name: 'Initech', workspaces: [{ name: 'Main' }] }]);
    const members = (await call('GET', `/_control/organizations/${data[0].id}/members`)).body.data;
    expect(members).toMatchObject([{ user: { name: 'Bill', email: 'bill@initech.example' }, role: 'Owner' }]);
  },
);

test.skipIf(!executablePath)('a workspace can do without users, and the server screen creates one later', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await call('POST', '/_control/reset', { seed: {} });
  await journey.open('');
  await page.getByLabel('Organization', { exact: true }).fill('Initech');
  await page.getByLabel('Workspace', { exact: true }).fill('Main');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect((await call('GET', '/_control/users')).body.data).toEqual([]);
  await journey.open('server');
  await page.getByText('None yet.').waitFor();
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Bill');
  await dialog.getByLabel('Email').fill('bill@initech.example');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('row', { name: /bill@initech\.example/ }).waitFor();
});
