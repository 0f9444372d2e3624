import { executablePath } from '@svc/testing/browser';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { actAs } from './support/acting.ts';
import { expectButtons } from './support/checks.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;
const TOKENS = {
  Owner: 'svc_pat_test_demo_acme_owner',
  Admin: 'svc_pat_test_demo_acme_admin',
  Viewer: 'svc_pat_test_demo_acme_viewer',
} as const;

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

/** Presses a disabled button, as somebody could with the browser's developer tools. */
const force = (pressed: Locator) =>
  pressed.evaluate((element) => {
    element.removeAttribute('aria-disabled');
    (element as HTMLButtonElement).click();
  });

test.skipIf(!executablePath)(
  'journey 11: buttons match the permissions of Owner, Admin and Viewer; a forced call gets the 403 of the service',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id: endpointId } = await addEndpoint(journey, receiver.url);
    const [deliveryId = ''] = await cause(journey);
    await settle(journey);
    const screens: readonly (readonly [path: string, buttons: readonly string[], permission: string])[] = [
      [`${W}/deliveries`, ['Replay all matching'], 'workspace:developer:write'],
      [`${W}/deliveries/${deliveryId}`, ['Replay'], 'workspace:developer:write'],
      [`${W}/settings`, ['Save'], 'workspace:settings:write'],
      [`${W}/webhooks/${endpointId}`, ['Ping', 'Pause', 'Edit'], 'workspace:developer:write'],
      [`${W}/api-keys`, ['Create API key', 'Revoke Acme Production'], 'workspace:developer:write'],
      [`${W}/webhooks`, ['Register endpoint'], 'workspace:developer:write'],
    ];
    for (const [path, names, permission] of screens) {
      await journey.open(path);
      for (const [name, role] of [
        ['Olivia Owner', 'Owner'],
        ['Adam Admin', 'Admin'],
        ['Vera Viewer', 'Viewer'],
      ] as const) {
        await actAs(page, name);
        await page
          .getByRole('button', { name: /^Acting as/ })
          .getByText(role, { exact: true })
          .waitFor();
        const { permissions } = (await call('GET', '/v1/me', undefined, TOKENS[role], demo.production.id)).body
          .workspace;
        const missing = permissions.includes(permission) ? undefined : `${role}: needs ${permission}`;
        expect(missing === undefined).toBe(role !== 'Viewer');
        await expectButtons(
          names.map((one) => button(page, one)),
          missing,
        );
      }
    }

    // A button that cannot work takes the focus, and says why when somebody presses it.
    const register = button(page, 'Register endpoint');
    await register.focus();
    expect(await register.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('.toast').getByText('Viewer: needs workspace:developer:write').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    const refused = await call('POST', '/v1/webhooks/endpoints', body, TOKENS.Viewer, demo.production.id);
    expect(refused.status).toBe(403);
    const { message } = refused.body.error;
    journey.allow(/status of 403/);
    await force(button(page, 'Register endpoint'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Register endpoint' }).click();
    await dialog.getByRole('alert').getByText(message).waitFor();
    for (const [path, name] of [
      [`${W}/webhooks/${endpointId}`, 'Pause'],
      [`${W}/webhooks/${endpointId}`, 'Ping'],
      [`${W}/deliveries/${deliveryId}`, 'Replay'],
    ] as const) {
      await journey.open(path);
      await page.locator('main button[aria-disabled]').first().waitFor();
      await force(button(page, name));
      await page.locator('.toasts').getByText(message).first().waitFor();
    }
    expect(receiver.received).toHaveLength(1);
    expect((await call('GET', '/v1/webhooks/endpoints')).body.data).toMatchObject([{ id: endpointId, active: true }]);
  },
);

test.skipIf(!executablePath)(
  "journey 11: a user without access sees the service's message, and no button of the workspace works",
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    const staging = `w/${demo.staging.id}`;
    const refused = await call('GET', '/v1/webhooks/deliveries', undefined, TOKENS.Admin, demo.staging.id);
    expect(refused.status).toBe(403);
    journey.allow(/status of 403/);
    await journey.open(`${staging}/deliveries`);
    await actAs(page, 'Adam Admin');
    for (const screen of ['deliveries', 'events', 'webhooks', 'event-types', 'settings', '']) {
      await journey.open(`${staging}/${screen}`);
      await page.getByRole('heading', { name: 'No access' }).waitFor();
      await page.getByText(refused.body.error.message).waitFor();
      if (screen === 'deliveries') {
        await page.locator('main button[title]').first().waitFor();
        await expectButtons([button(page, 'Replay all matching')], 'No access: needs workspace:developer:write');
      }
    }
    // The account screen says so too, and shows no loading state.
    await journey.open('account');
    await page.getByRole('alert').getByText(refused.body.error.message).waitFor();
    expect(await page.locator('main .skeleton').count()).toBe(0);
    // In Production, the same user may do everything.
    await journey.open(`${W}/webhooks`);
    await page
      .getByRole('button', { name: /^Acting as Adam Admin/ })
      .getByText('Admin', { exact: true })
      .waitFor();
    await expectButtons([button(page, 'Register endpoint')], undefined);
  },
);

test.skipIf(!executablePath)('every user can be chosen, also when there are many', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  for (let n = 1; n <= 60; n++) await call('POST', '/_control/users', { name: `User ${n}`, email: `u${n}@many.test` });
  await journey.open(`w/${demo.production.id}`);
  await page.getByRole('button', { name: /^Acting as/ }).click();
  await page.getByRole('searchbox', { name: 'Filter users' }).fill('vera');
  expect(await page.locator('.panel .choice').allTextContents()).toHaveLength(2);
  await page.getByRole('button', { name: /^Vera Viewer/ }).click();
  await page.getByRole('button', { name: 'Acting as Vera Viewer' }).waitFor();
});
