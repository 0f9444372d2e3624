import { APPEARANCE, executablePath, findings, SIZES } from '@svc/testing/browser';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from '../journeys/support/journey.ts';
import { type Receiver, startReceiver } from '../journeys/support/receiver.ts';

const W = `w/${demo.production.id}`;

describe.skipIf(!executablePath)('axe finds nothing', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  let ids: Record<string, string>;
  /** The header of every screen names an active fault. */
  const fault = { target: 'delivery', match: { endpointId: 'whe_none' }, effect: { status: 503 } };
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver(503, '{"no":true}'));
    journey = cleanup.use(await startJourney());
    const endpoint = await addEndpoint(journey, receiver.url);
    await journey.call('POST', '/_control/clock', { freeze: true });
    // One delivery fails permanently. Another has had two attempts.
    await cause(journey);
    await settle(journey);
    await journey.call('POST', '/_control/clock', { advance: '4d' });
    const [delivery = ''] = await cause(journey);
    await settle(journey);
    await journey.call('POST', '/_control/clock', { advance: '5m' });
    const shown = await journey.call('GET', `/v1/webhooks/deliveries/${delivery}`);
    const { data: profiles } = (await journey.call('GET', `/_control/workspaces/${demo.production.id}/profiles`)).body;
    ids = { profile: profiles[0].id, delivery, endpoint: endpoint.id, event: shown.body.delivery.eventId };
  });
  afterAll(() => cleanup.disposeAsync());

  const routes: readonly (readonly [name: string, path: (ids: Record<string, string>) => string, ready: string])[] = [
    ['deliveries', () => `${W}/deliveries`, 'lifecycle.evaluated'],
    ['an empty list', () => `${W}/deliveries?status=success`, 'No delivery matches'],
    ['a delivery', ({ delivery }) => `${W}/deliveries/${delivery}`, 'Response'],
    ['a comparison', ({ delivery }) => `${W}/deliveries/${delivery}?attempt=2&compare=1`, 'Attempt 1'],
    ['the overview', () => W, 'Needs attention'],
    ['the set-up', () => `w/${demo.staging.id}`, 'Start a receiver'],
    ['webhooks', () => `${W}/webhooks`, 'failing'],
    ['an endpoint', ({ endpoint }) => `${W}/webhooks/${endpoint}`, 'As a table'],
    ['events', () => `${W}/events`, 'workspace wsp'],
    ['an event', ({ event }) => `${W}/events/${event}`, 'Attempt 2'],
    ['profiles', () => `${W}/profiles`, 'Ada Lovelace'],
    ['no profile', () => `${W}/profiles?q=nobody`, 'No profile matches'],
    ['a workspace without profiles', () => `w/${demo.staging.id}/profiles`, 'No profiles yet'],
    ['a profile', ({ profile }) => `${W}/profiles/${profile}`, 'Signals'],
    ['lifecycle', () => `${W}/lifecycle`, 'As a table'],
    ['API keys', () => `${W}/api-keys`, 'Acme Production'],
    ['event types', () => `${W}/event-types`, 'Subscribed by'],
    ['requests', () => `${W}/requests`, 'createWebhookEndpoint'],
    ['settings', () => `${W}/settings`, 'Weeks start on'],
    ['members', () => `${W}/members`, 'Vera Viewer'],
    ['account', () => 'account/usr_01DEM0000000000000000WNER0', 'Personal access tokens'],
    ['faults', () => 'server/faults', 'Inject a fault'],
    ['the server', () => 'server', 'Globex'],
    ['an unknown delivery', () => `${W}/deliveries/whd_none`, 'does not exist'],
  ];

  describe.each([
    { widths: [1280], faults: [] },
    { widths: [320, 321, 360, 390], faults: [fault] },
  ] as const)('$widths px, $faults.length active faults', ({ widths, faults }) => {
    let page: Page;
    beforeAll(async () => {
      for (const one of faults) await journey.call('POST', '/_control/faults', one);
      page = await journey.newPage({ viewport: { width: widths[0], height: 800 }, reducedMotion: 'reduce' });
    });
    afterAll(async () => {
      await page.context().close();
      await journey.call('DELETE', '/_control/faults');
    });

    test.each(routes)('%s, light and dark', async (_name, path, ready) => {
      await page.setViewportSize({ width: widths[0], height: 800 });
      // A reload would load axe again, which takes as long as a look.
      if (page.url() === 'about:blank') await journey.open(path(ids), page);
      else await follow(page, `/dashboard/${path(ids)}`);
      await page.getByText(ready).filter({ visible: true }).first().waitFor();
      await expectSound(page, widths);
      journey.problems.splice(0);
    });
  });

  const delivery = ({ delivery }: Record<string, string>) => `${W}/deliveries/${delivery}`;
  const endpoint = ({ endpoint }: Record<string, string>) => `${W}/webhooks/${endpoint}`;
  const opened: readonly (readonly [
    name: string,
    path: (ids: Record<string, string>) => string,
    buttons: readonly (string | RegExp)[],
  ])[] = [
    ['the workspaces', delivery, [/Production/]],
    ['whom the page acts as', delivery, [/^Acting as/]],
    ['preferences', delivery, ['Preferences']],
    ['the time', delivery, ['More about time']],
    ['the palette', delivery, ['Search or paste an id']],
    ['a menu', delivery, ['Copy as curl']],
    ['the signature', delivery, ['Check signature']],
    ['a period', () => `${W}/deliveries`, [/^Created/]],
    ['the replay of all', () => `${W}/deliveries`, ['Replay all matching']],
    ['a request', () => `${W}/requests`, [/deliveries/]],
    ['a new endpoint', () => `${W}/webhooks`, ['Register endpoint']],
    ['more of an endpoint', endpoint, ['More actions']],
    ['the form of an endpoint', endpoint, ['Edit']],
    ['the rotation of a secret', endpoint, ['Rotate the signing secret']],
    ['the end of an endpoint', endpoint, ['More actions', /^Delete/]],
    ['a new event', () => `${W}/events`, ['Trigger an event']],
    ['a new key', () => `${W}/api-keys`, ['Create API key']],
    ['the end of a key', () => `${W}/api-keys`, [/^Revoke/]],
    ['an import', () => `${W}/lifecycle`, ['Import a file']],
    ['a new fault', () => 'server/faults', ['Inject a fault']],
    ['a reset', () => 'server', ['Reset the server']],
  ];

  describe.each([[[1280]], [[320, 390]]] as const)('%j px, one active fault, acting as a user', (widths) => {
    const [width] = widths;
    let page: Page;
    beforeAll(async () => {
      await journey.call('POST', '/_control/faults', fault);
      page = await journey.newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
      // A user has a bell, and a role beside the name.
      await journey.open(W, page);
      await page.getByRole('button', { name: /^Acting as/ }).click();
      await page.getByRole('button', { name: /Olivia Owner/ }).click();
    });
    afterAll(async () => {
      await page.context().close();
      await journey.call('DELETE', '/_control/faults');
    });

    test.each(opened)('with %s open, light and dark', async (_name, path, buttons) => {
      await page.setViewportSize({ width, height: 800 });
      await journey.open(path(ids), page);
      await page.getByRole('link', { name: /active fault/ }).waitFor();
      for (const name of buttons) {
        const target = page.getByRole('button', { name }).or(page.locator('main').getByRole('link', { name }));
        await target.filter({ visible: true }).first().click();
      }
      const box = page.locator('dialog, .panel').first();
      await box.waitFor();
      await expectSound(page, widths, box);
      journey.problems.splice(0);
    });

    test.runIf(width < 900)('with the screens open, light and dark', async () => {
      await page.setViewportSize({ width, height: 800 });
      await journey.open(W, page);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'API reference' }).waitFor();
      await expectSound(page, widths);
    });
  });
});

/**
 * Checks a page and what is open in it: every rule at the first width, and in the other colors and at the other widths
 * those that depend on them. The page is not opened again, because only its styles depend on these. It keeps the other
 * colors, because changing them back takes as long as a look.
 */
async function expectSound(page: Page, widths: readonly number[], box?: Locator): Promise<void> {
  const check = async (width: number | undefined, rules?: readonly string[]) => {
    if (width !== undefined) await page.setViewportSize({ width, height: 800 });
    expect(await findings(page, rules)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    if (box) expect(await box.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  };
  const [first, ...others] = widths;
  const last = others.pop();
  await check(first);
  for (const width of others) await check(width, SIZES);
  await changeColors(page);
  await check(last, APPEARANCE);
}

/** Changes the color scheme from light to dark or back. */
async function changeColors(page: Page): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  // Chromium applies the scheme when it paints.
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  });
}

/** Follows a link, which the page's router takes without a reload. */
const follow = (page: Page, to: string) =>
  page.evaluate((to) => {
    const link = document.body.appendChild(document.createElement('a'));
    link.href = to;
    link.click();
    link.remove();
  }, to);
