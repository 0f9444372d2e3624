import { executablePath } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from '../journeys/support/journey.ts';
import { type Receiver, startReceiver } from '../journeys/support/receiver.ts';

const W = `w/${demo.production.id}`;
/** A shift that is too small to see. Pages with 0.1 or more count as unstable. */
const SHIFT_MAX = 0.02;

/** Sums up the layout shifts without user input: how much of the window moved, and how far. */
function observeShifts(): void {
  const page = globalThis as unknown as { shift: number };
  page.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) page.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

describe.skipIf(!executablePath)('a screen does not move while it loads', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  let ids: { endpoint: string; delivery: string };
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver(503));
    journey = cleanup.use(await startJourney());
    const { id: endpoint } = await addEndpoint(journey, receiver.url);
    // The longest description that the service accepts, without any place to break a line.
    const description = '😀'.repeat(500);
    await journey.call('PATCH', `/v1/webhooks/endpoints/${endpoint}`, { description });
    await journey.call('POST', '/_control/clock', { freeze: true });
    const [delivery = ''] = await cause(journey, 5);
    await settle(journey);
    await journey.call('POST', '/_control/clock', { advance: '4d' });
    ids = { endpoint, delivery };
  });
  afterAll(() => cleanup.disposeAsync());

  const screens: readonly (readonly [name: string, path: () => string, ready: string])[] = [
    ['overview', () => W, 'Trigger an event with curl'],
    ['empty overview', () => `w/${demo.staging.id}`, 'Start a receiver'],
    ['deliveries', () => `${W}/deliveries`, 'lifecycle.evaluated'],
    ['delivery', () => `${W}/deliveries/${ids.delivery}`, 'Replays'],
    ['webhooks', () => `${W}/webhooks`, 'auto-disabled'],
    ['endpoint', () => `${W}/webhooks/${ids.endpoint}`, 'As a table'],
    ['account', () => 'account', 'workspace:developer:write'],
  ];

  test.each([1280, 360].flatMap((width) => screens.map((screen) => [width, ...screen] as const)))(
    'at %i px: %s',
    async (width, _name, path, ready) => {
      const page = await journey.newPage({ viewport: { width, height: 800 } });
      await page.addInitScript(observeShifts);
      await journey.open(path(), page);
      await page.getByText(ready).filter({ visible: true }).first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      // The observer reports a shift after the frame is painted.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBeLessThan(SHIFT_MAX);
      await page.context().close();
    },
  );

  test('500 emoji as a description leave room for the other columns', async () => {
    const { page } = journey;
    await journey.open(`${W}/webhooks`);
    const row = page.getByRole('row', { name: /auto-disabled/ });
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeLessThan(100);
    const pattern = row.getByText('lifecycle.*');
    // The pattern is on one line.
    expect((await pattern.boundingBox())?.height).toBeLessThan(24);
  });
});
