import type { ServerConfig } from '@svc/mock-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster } from '../../../../mock-server/test/postgres/cluster.ts';
import { createDatabase, dropDatabases } from '../../../../mock-server/test/postgres/databases.ts';
import { executablePath } from './support/chromium.ts';
import { addEndpoint, cause, demo, type JourneyOptions, settle, startJourney } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;
const deliveries = `${W}/deliveries`;

describe.skipIf(!executablePath).each(['SQLite', 'two nodes on PostgreSQL'])('on %s', (database) => {
  const cleanup = new AsyncDisposableStack();
  let newDatabase: () => Promise<Partial<ServerConfig>>;
  beforeAll(async () => {
    if (database === 'SQLite') return;
    const named = process.env['SVC_TEST_POSTGRES_URL'];
    const url = named ?? cleanup.use(await startCluster()).url;
    const postgres = { url, prefix: `svc_journeys_${process.pid}` };
    if (named) cleanup.defer(() => dropDatabases(postgres));
    const masterKey = Buffer.alloc(32, 'journeys').toString('base64');
    newDatabase = async () => ({ databaseUrl: await createDatabase(postgres), masterKey });
  });
  afterAll(() => cleanup.disposeAsync());

  /** On two nodes, the page is on the first one, and calls and the other window are on the second. */
  const start = async (): ReturnType<typeof startJourney> =>
    await startJourney(
      database === 'SQLite' ? {} : ({ server: await newDatabase(), nodes: 2 } satisfies JourneyOptions),
    );

  test('journey 3: a delivery that fails appears without a reload, and says why', async () => {
    await using receiver = await startReceiver(503);
    await using journey = await start();
    const { page, call } = journey;
    await addEndpoint(journey, receiver.url);
    await journey.open(deliveries);
    await page.getByText('No deliveries yet').waitFor();
    const [id = ''] = await cause(journey);
    await settle(journey);
    await page.getByRole('button', { name: '1 new' }).click();
    await page
      .getByRole('row', { name: /lifecycle\.evaluated/ })
      .getByText('503')
      .waitFor();
    await page.getByRole('link', { name: new RegExp(id) }).click();
    const { body } = await call('GET', `/_control/deliveries/${id}/explanation`);
    expect(body.explanation.reason).toBe('scheduled');
    // The sentence counts down, so its beginning is compared, up to the instant.
    const [said = ''] = /^.*?Z/.exec(body.explanation.sentence) ?? [];
    await expect.poll(() => page.locator('.sentence').textContent()).toContain(said);
  });

  test('journey 5: five failed deliveries disable the endpoint; enabled again, the count is 0', async () => {
    await using receiver = await startReceiver(503);
    await using journey = await start();
    const { page, call } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { freeze: true });
    await cause(journey, 5);
    await journey.open(`${W}/webhooks/${id}`);
    await page.getByText('none; five disable it').waitFor();
    await call('POST', '/_control/clock', { advance: '4d' });
    await page.getByText('The service disabled this endpoint').waitFor();
    const { body } = await call('GET', `/_control/notifications`);
    expect(body.data).toHaveLength(3);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('none; five disable it').waitFor();
    await page.locator('.screen-head').getByText('active', { exact: true }).waitFor();
  });

  test('journey 12: another window follows when the clock is moved', async () => {
    await using journey = await start();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    await journey.open(W);
    const second = await journey.newPage();
    await journey.open(W, second, journey.otherNode);
    const time = (on: typeof page) => on.locator('.time-now time').getAttribute('datetime');
    await expect.poll(() => time(second)).toBe(await time(page));
    await page.bringToFront();
    const before = Date.parse((await time(page)) ?? '');
    await page.getByRole('button', { name: '+12h' }).click();
    await expect.poll(async () => Date.parse((await time(page)) ?? '') - before).toBe(12 * 3_600_000);
    await expect.poll(() => time(second)).toBe(await time(page));
  });

  test('journey 13: filters are URLs: back, forward, reload and a second tab show the same', async () => {
    await using receiver = await startReceiver(204);
    await using journey = await start();
    const { page } = journey;
    await addEndpoint(journey, receiver.url);
    await cause(journey, 150);
    await settle(journey);
    await journey.open(deliveries);
    const rows = page.getByRole('row', { name: /lifecycle\.evaluated/ });
    await rows.first().waitFor();
    const status = page.getByRole('combobox', { name: 'Status' });
    await status.selectOption('failed');
    await page.getByText('No delivery matches').waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
    await status.selectOption('success');
    await rows.first().waitFor();
    await page.goBack();
    await page.getByText('No delivery matches').waitFor();
    await page.goForward();
    await rows.first().waitFor();
    await page.reload();
    await rows.first().waitFor();
    expect(await status.inputValue()).toBe('success');

    // Deep in the list, and back from a delivery: the same rows are in view, also after a reload.
    const top = () => page.evaluate(() => Math.round(document.getElementById('main')?.scrollTop ?? 0));
    await expect
      .poll(async () => {
        await page.evaluate(() => document.getElementById('main')?.scrollTo(0, 4_000));
        return await top();
      })
      .toBe(4_000);
    const row = page.locator('[aria-rowindex="122"]');
    const id = () => row.getByRole('link').first().getAttribute('href');
    const opened = await id();
    await expect.poll(() => page.evaluate(() => history.state?.top)).toBe(4_000);
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Response' }).waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await expect.poll(top).toBe(4_000);
    expect(await id()).toBe(opened);
    await page.reload();
    await expect.poll(top).toBe(4_000);
    expect(await id()).toBe(opened);

    const second = await journey.newPage();
    await journey.open(`${deliveries}${new URL(page.url()).search}`, second, journey.otherNode);
    await second
      .getByRole('row', { name: /lifecycle\.evaluated/ })
      .first()
      .waitFor();
    expect(await second.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('success');
  });
});
