import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { type Received, startReceiver } from './support/receiver.ts';

const deliveries = `w/${demo.production.id}/deliveries`;
const HOUR_MS = 3_600_000;
/** Only these journeys create events of this type. */
const TYPE = 'webhook.ping';

test.skipIf(!executablePath)(
  'journey 4: advancing to each next attempt makes all eleven, at the documented intervals',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    await addEndpoint(journey, receiver.url);
    const [id = ''] = await cause(journey);
    await settle(journey);
    await journey.open(`${deliveries}/${id}`);
    const steps = page.locator('.step.made');
    const waits: number[] = [];
    await expect.poll(() => steps.count()).toBe(1);
    for (let made = 2; made <= 11; made++) {
      const startedAt = performance.now();
      await page.getByRole('button', { name: 'Advance to next attempt' }).click();
      await expect.poll(() => steps.count()).toBe(made);
      waits.push(performance.now() - startedAt);
    }
    // Use the median, because a busy machine may delay one.
    expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(5_000);
    await page.getByText('All 11 attempts failed').waitFor();
    await expect.poll(() => page.locator('.screen-head .status').textContent()).toBe('failed');
    expect(await page.getByRole('button', { name: 'Advance to next attempt' }).count()).toBe(0);
    const { body } = await call('GET', `/_control/deliveries/${id}/attempts`);
    const at = body.attempts.map((attempt: { startedAt: string }) => Date.parse(attempt.startedAt));
    const hours = [5 / 60, 0.5, 2, 5, 10, 12, 12, 12, 12, 12];
    expect(at).toHaveLength(11);
    // Evaluations that were due in this time created other deliveries.
    const isThis = ({ headers }: Received) => headers['webhook-id'] === receiver.received[0]?.headers['webhook-id'];
    expect(receiver.received.filter(isThis)).toHaveLength(11);
    expect(at.slice(1).map((time: number, index: number) => (time - at[index]) / HOUR_MS)).toEqual(
      hours.map((value) => expect.closeTo(value, 3)),
    );
  },
);

test.skipIf(!executablePath)(
  'journey 6: Stop stops a replay of 250, whose progress is accurate; the next one replays all 250',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    // Five failures in a row would disable an endpoint. So 62 have four each, and one has two.
    const register = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => addEndpoint(journey, `${receiver.url}/${at}`, [TYPE])));
    await register(62);
    await cause(journey, 2, TYPE);
    await register(1);
    await cause(journey, 2, TYPE);
    await call('POST', '/_control/clock', { advance: '4d' });
    expect(await count(journey, 'status=failed')).toBe(250);
    receiver.answer(204);
    await journey.open(`${deliveries}?status=failed`);
    const replay = page.getByRole('button', { name: 'Replay all matching' });
    const dialog = page.getByRole('dialog');

    // All replays after the first twenty are held until Stop is pressed.
    const stopped = Promise.withResolvers<void>();
    let [sent, answered] = [0, 0];
    await page.route('**/replay', async (route) => {
      if (++sent > 20) await stopped.promise;
      await route.continue();
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/replay') && response.ok()) answered++;
    });
    await replay.click();
    await dialog.getByRole('button', { name: 'Replay all matching' }).click();
    const status = dialog.getByRole('status');
    const bar = dialog.getByRole('progressbar', { name: 'Replayed' });
    const progress = () => bar.evaluate((element: HTMLProgressElement) => [element.value, element.max]);
    await expect.poll(() => status.textContent()).toBe('Replayed 20 of 250.');
    expect(await progress()).toEqual([20, 250]);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    stopped.resolve();
    // The four replays in progress finish.
    await expect.poll(() => status.textContent()).toBe('Stopped. Replayed 24 of 250.');
    expect([sent, answered]).toEqual([24, 24]);
    await settle(journey);
    expect(await count(journey, 'status=success')).toBe(24);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await replay.click();
    const seen = page.evaluate(
      () =>
        new Promise<{ value: number; text: string }[]>((resolve) => {
          const steps: { value: number; text: string }[] = [];
          new MutationObserver((_, observer) => {
            const text = document.querySelector('dialog [role=status]')?.textContent ?? '';
            const value = document.querySelector<HTMLProgressElement>('dialog progress')?.value ?? 0;
            if (/ of \d/.test(text)) steps.push({ value, text });
            if (!text.startsWith('Done.')) return;
            observer.disconnect();
            resolve(steps);
          }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        }),
    );
    await dialog.getByRole('button', { name: 'Replay all matching' }).click();
    await expect.poll(() => status.textContent()).toBe('Done. Replayed 250 of 250.');
    const steps = await seen;
    const counts = steps.map(({ text }) => Number(/Replayed (\d+) of 250\.$/.exec(text)?.[1]));
    // The bar and the text agree, and progress only increases.
    expect(counts).toEqual(steps.map(({ value }) => value));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBeGreaterThan(10);
    await settle(journey);
    expect(await count(journey, 'status=success')).toBe(24 + 250);
    expect(await count(journey, '')).toBe(250 + 24 + 250);
  },
);

test.skipIf(!executablePath)('a list whose first pages are empty shows the rows of the next ones', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page } = journey;
  await addEndpoint(journey, receiver.url);
  const [id = ''] = await cause(journey, 1, TYPE);
  await settle(journey);
  // As the server responds if no row of a long stretch matches both filters.
  await page.route('**/v1/webhooks/deliveries?*', async (route) => {
    const url = new URL(route.request().url());
    const at = Number(url.searchParams.get('page') ?? '0');
    url.searchParams.delete('page');
    if (at === 2) return await route.continue({ url: url.href });
    url.searchParams.set('page', String(at + 1));
    await route.fulfill({ json: { data: [], nextPageUrl: url.href, previousPageUrl: null } });
  });
  await journey.open(`${deliveries}?status=success&eventType=${TYPE}`);
  await page
    .getByRole('link', { name: id })
    .or(page.locator(`[href$="${id}"]`))
    .first()
    .waitFor();
  // If the page reads the list again while the test ends, the server gets the page tokens that this test made up.
  journey.allow(/status of 400 .*&page=[12]$/);
});

async function count(
  { call }: Pick<Awaited<ReturnType<typeof startJourney>>, 'call'>,
  filter: string,
): Promise<number> {
  let found = 0;
  for (let url: string | null = `/v1/webhooks/deliveries?limit=100&${filter}`; url; ) {
    const { body }: { body: { data: unknown[]; nextPageUrl: string | null } } = await call('GET', url);
    found += body.data.length;
    url = body.nextPageUrl;
  }
  return found;
}
