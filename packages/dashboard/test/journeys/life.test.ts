import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)(
  'the life of an event is a tree of endpoints, deliveries, attempts and replays at one address',
  async () => {
    await using failing = await startReceiver(503, 'no');
    await using good = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    await addEndpoint(journey, `${failing.url}/failing`);
    await addEndpoint(journey, `${good.url}/good`);
    await call('POST', '/_control/clock', { freeze: true });
    const [some = ''] = await cause(journey);
    await settle(journey);
    await call('POST', '/_control/clock', { advance: '5m' });
    const { eventId } = (await call('GET', `/v1/webhooks/deliveries/${some}`)).body.delivery;
    const { deliveries } = (await call('GET', `/_control/events/${eventId}/deliveries`)).body;
    const failed = deliveries.find(({ status }: { status: string }) => status === 'pending').id;
    const replay = (await call('POST', `/v1/webhooks/deliveries/${failed}/replay`)).body.delivery.id;
    await settle(journey);

    await journey.open(`${W}/events/${eventId}`);
    const branch = (text: string) => page.locator('.tree > li', { hasText: text });
    const ofFailing = branch('/failing');
    await ofFailing.getByText('Attempt 3 of 11 is due').waitFor();
    expect(await ofFailing.locator('> ul > li > p > b').allTextContents()).toEqual(['503', '503']);
    // The replay is a branch of its own, with its own attempt.
    const ofReplay = ofFailing.locator('li', { hasText: 'Replay' }).last();
    await ofReplay.getByText('Attempt 2 of 11 is due').waitFor();
    expect(await ofReplay.locator('ul > li b').allTextContents()).toEqual(['503']);
    expect(await branch('/good').locator('ul > li b').allTextContents()).toEqual(['204']);

    // Another replay appears, and so does each of its attempts.
    good.answer(500);
    const ofGood = branch('/good').locator('a[href*="whd_"]').first();
    const again = (await ofGood.getAttribute('href'))?.split('/').at(-1);
    const second = (await call('POST', `/v1/webhooks/deliveries/${again}/replay`)).body.delivery;
    await branch('/good').getByText('Replay').waitFor();
    await branch('/good').getByText('Attempt 2 of 11 is due').waitFor();

    // The event of a replay leads to the original event.
    const { eventId: ofReplayed } = (await call('GET', `/v1/webhooks/deliveries/${second.id}`)).body.delivery;
    await journey.open(`${W}/events/${ofReplayed}`);
    await page.getByText('This is the event of a replay.').waitFor();
    await page.locator('.tree').getByText('Attempt 2 of 11 is due').waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${eventId.slice(0, 8)}`) })
      .click();
    await ofFailing.getByText('Attempt 3 of 11 is due').waitFor();
    expect(new URL(page.url()).pathname).toContain(eventId);

    // Each part leads to its own screen.
    await ofReplay.getByRole('link', { name: /^whd_/ }).click();
    await page.getByRole('heading', { name: 'Response' }).waitFor();
    expect(new URL(page.url()).pathname).toContain(replay);
    await page.goBack();
    await ofFailing.getByRole('link', { name: 'Attempt 1' }).first().click();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    expect(new URL(page.url()).searchParams.get('attempt')).toBe('1');
  },
);

test.skipIf(!executablePath)(
  'a branch that changes is requested again, and no other; a refused one says why',
  async () => {
    await using slow = await startReceiver();
    await using good = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    const answer = Promise.withResolvers<void>();
    slow.before = answer.promise;
    await addEndpoint(journey, `${slow.url}/slow`);
    await addEndpoint(journey, `${good.url}/good`);
    const [some = ''] = await cause(journey);
    await expect.poll(() => good.received.length + slow.received.length).toBe(2);
    const { eventId } = (await call('GET', `/v1/webhooks/deliveries/${some}`)).body.delivery;
    // A result that is stored after the page is open is a change too.
    const stored = async () => (await call('GET', '/v1/webhooks/deliveries?status=success')).body.data;
    await expect.poll(stored).toHaveLength(1);
    const other = (await stored())[0].id;
    const loaded = page.waitForResponse((response) => response.url().endsWith(`/deliveries/${other}/replays`));
    // Once the page reads the stream, it loads everything again. So the tree is opened after that.
    await journey.open(`${W}/events`);
    await page.locator('.time-now').waitFor();
    await page.getByRole('main').locator(`a[href$="/events/${eventId}"]`).first().click();
    await loaded;
    const branch = (text: string) => page.locator('.tree > li', { hasText: text });
    await branch('/good').getByText('204', { exact: true }).waitFor();
    await branch('/slow').getByText('is being made').waitFor();
    const link = branch('/slow').locator('a[href*="whd_"]').first();
    const changing = (await link.getAttribute('href'))?.split('/').at(-1);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    answer.resolve();
    await branch('/slow').getByText('204', { exact: true }).waitFor();
    const about = (id: string | undefined) => requested.filter((url) => url.includes(`/_control/deliveries/${id}/`));
    expect(about(changing).length).toBeGreaterThan(0);
    expect(about(other)).toEqual([]);

    // What the server refuses is not awaited.
    await page.route(`**/_control/deliveries/${other}/*`, (route) =>
      route.fulfill({ status: 404, json: { error: { code: 'NOT_FOUND', message: 'No such delivery.' } } }),
    );
    journey.allow(/status of 404/);
    await page.reload();
    await branch('/good').getByText('No such delivery.').waitFor();
    expect(await branch('/good').locator('.skeleton').count()).toBe(0);
  },
);

test.skipIf(!executablePath)('a comparison of two attempts names the places where the bodies differ', async () => {
  await using receiver = await startReceiver(503, '{"error":{"code":"first"},"same":1}');
  await using journey = await startJourney();
  const { page, call } = journey;
  await addEndpoint(journey, receiver.url);
  await call('POST', '/_control/clock', { freeze: true });
  const [id = ''] = await cause(journey);
  await settle(journey);
  receiver.answer(503, '{"error":{"code":"second"},"same":1}');
  await call('POST', '/_control/clock', { advance: '5m' });
  await journey.open(`${W}/deliveries/${id}?attempt=2&compare=1`);
  const differences = page.getByRole('region', { name: 'Differences between the bodies' });
  await differences.waitFor();
  expect(await differences.getByText('The request bodies are the same, byte for byte.').isVisible()).toBe(true);
  expect(await differences.locator('tbody td').allTextContents()).toEqual(['$.error.code', '"second"', '"first"']);
});

test.skipIf(!executablePath)('a comparison says that it stops, and what it cannot compare', async () => {
  const bodyOf = (text: string) => JSON.stringify(Array.from({ length: 60 }, (_, index) => `${text} ${index}`));
  await using receiver = await startReceiver(503, bodyOf('first'));
  await using journey = await startJourney();
  const { page, call } = journey;
  await addEndpoint(journey, receiver.url);
  await call('POST', '/_control/clock', { freeze: true });
  const [id = ''] = await cause(journey);
  await settle(journey);
  receiver.answer(503, bodyOf('second'));
  await call('POST', '/_control/clock', { advance: '5m' });
  // Retention removes the body of an event. Attempts then have none.
  await page.route('**/_control/deliveries/*/attempts', async (route) => {
    const response = await route.fetch();
    const { attempts } = await response.json();
    for (const { request } of attempts) Object.assign(request, { body: null, bodyText: null });
    await route.fulfill({ response, json: { attempts } });
  });
  await journey.open(`${W}/deliveries/${id}?attempt=2&compare=1`);
  const differences = page.getByRole('region', { name: 'Differences between the bodies' });
  await differences.getByText('The request bodies cannot be compared: retention removed the event.').waitFor();
  await differences.getByText('in many places. These are the first 50:').waitFor();
  expect(await differences.locator('tbody tr').count()).toBe(50);

  await page.getByRole('button', { name: 'Check signature' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Retention removed the body of this attempt').waitFor();
  await dialog.getByRole('textbox').fill(`whsec_${'A'.repeat(44)}`);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.locator('.verdict').waitFor();
  expect(await dialog.getByText('What your receiver must compute').count()).toBe(0);
});
