import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const deliveries = `w/${demo.production.id}/deliveries`;
const HOUR_MS = 3_600_000;

test.skipIf(!executablePath)(
  'journey 4: advancing to each next attempt makes all eleven, at the documented distances',
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
    for (let made = 1; made < 11; made++) {
      await expect.poll(() => steps.count()).toBe(made);
      await page.getByRole('button', { name: 'Advance to next attempt' }).click();
    }
    await page.getByText('All 11 attempts failed').waitFor();
    await expect.poll(() => page.locator('.screen-head .status').textContent()).toBe('failed');
    expect(await page.getByRole('button', { name: 'Advance to next attempt' }).count()).toBe(0);
    const { body } = await call('GET', `/_control/deliveries/${id}/attempts`);
    const at = body.attempts.map((attempt: { startedAt: string }) => Date.parse(attempt.startedAt));
    const hours = [5 / 60, 0.5, 2, 5, 10, 12, 12, 12, 12, 12];
    expect(at.slice(1).map((time: number, index: number) => (time - at[index]) / HOUR_MS)).toEqual(
      hours.map((value) => expect.closeTo(value, 3)),
    );
  },
);

test.skipIf(!executablePath)(
  'journey 6: everything that matches is replayed, with progress, and Stop stops it',
  async () => {
    await using receiver = await startReceiver(503);
    await using journey = await startJourney();
    const { page, call } = journey;
    const { id: endpointId } = await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { freeze: true });
    await cause(journey, 250);
    await call('POST', '/_control/clock', { advance: '4d' });
    // Five deliveries that failed disabled it.
    await call('PATCH', `/v1/webhooks/endpoints/${endpointId}`, { active: true });
    receiver.answer(204);
    await journey.open(`${deliveries}?status=failed`);
    await page.getByRole('button', { name: 'Replay all matching' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replay all matching' }).click();
    await dialog.getByText(/^Done\. Replayed (\d+) of \1\.$/).waitFor();
    await settle(journey);
    const failed = await count(journey, 'status=failed');
    expect(await count(journey, 'status=success')).toBe(failed);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('button', { name: 'Replay all matching' }).click();
    await page.route('**/replay', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Replay all matching' }).click();
    await dialog.getByText(/Replayed [1-9]/).waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText(/^Stopped\./).waitFor();
    await settle(journey);
    expect(await count(journey, 'status=success')).toBeLessThan(2 * failed);
  },
);

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

test.skipIf(!executablePath)('filters made by hand are shown, and can be removed', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await journey.open(`${deliveries}?status=lost&endpointId=whe_elsewhere`);
  await page.getByText('The service refuses this list').waitFor();
  journey.problems.splice(0);
  await page.getByRole('button', { name: 'Remove the filter Status' }).click();
  await page.getByText('No delivery matches').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Endpoint' }).click();
  await page.getByText('No deliveries yet').waitFor();
  await journey.open(`${deliveries}?createdFrom=2031-01-02T00:00:00Z&createdTo=2031-01-01T00:00:00Z`);
  await page.getByText('is later than').waitFor();
});
