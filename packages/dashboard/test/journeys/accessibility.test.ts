import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from './support/axe.ts';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from './support/journey.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

describe.skipIf(!executablePath)('axe finds nothing', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  let ids: Record<string, string>;
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver(503, '{"no":true}'));
    journey = cleanup.use(await startJourney());
    const endpoint = await addEndpoint(journey, receiver.url);
    await journey.call('POST', '/_control/clock', { freeze: true });
    // One delivery fails for good; another has two attempts behind it.
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
    ['webhooks', () => `${W}/webhooks`, 'failing'],
    ['an endpoint', ({ endpoint }) => `${W}/webhooks/${endpoint}`, 'As a table'],
    ['events', () => `${W}/events`, 'workspace wsp'],
    ['an event', ({ event }) => `${W}/events/${event}`, 'attempts'],
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
    ['faults', () => 'server/faults', 'No faults'],
    ['the server', () => 'server', 'Globex'],
    ['an unknown delivery', () => `${W}/deliveries/whd_none`, 'does not exist'],
  ];

  describe.each([
    { colorScheme: 'light', widths: [1280] },
    { colorScheme: 'light', widths: [320, 360] },
    { colorScheme: 'dark', widths: [1280] },
    { colorScheme: 'dark', widths: [320, 360] },
  ] as const)('$colorScheme, $widths px', ({ colorScheme, widths }) => {
    let page: Page;
    beforeAll(async () => {
      page = await journey.newPage({ colorScheme, viewport: { width: widths[0], height: 800 } });
    });
    afterAll(() => page.context().close());

    test.each(routes)('%s', async (_name, path, ready) => {
      await journey.open(path(ids), page);
      await page.getByText(ready).filter({ visible: true }).first().waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findings(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      }
      journey.problems.splice(0);
    });
  });

  test.each([
    ['the signature', 'Check signature'],
    ['a menu', 'Copy as curl'],
    ['the time', 'More about time'],
    ['preferences', 'Preferences'],
  ])('with %s open', async (_name, button) => {
    const { page } = journey;
    await journey.open(`${W}/deliveries/${ids['delivery']}`);
    await page.getByRole('button', { name: button }).click();
    expect(await findings(page)).toEqual([]);
  });
});
