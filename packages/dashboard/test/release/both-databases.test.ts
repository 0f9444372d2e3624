import type { ServerConfig } from '@svc/mock-server';
import { executablePath } from '@svc/testing/browser';
import { createDatabase, dropDatabases, startCluster } from '@svc/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actAs } from '../journeys/support/acting.ts';
import { expectServiceSentence } from '../journeys/support/checks.ts';
import { holdClock, withinASecond } from '../journeys/support/held-clock.ts';
import { addEndpoint, cause, demo, type JourneyOptions, settle, startJourney } from '../journeys/support/journey.ts';
import { startReceiver } from '../journeys/support/receiver.ts';

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

  test("journey 3: a delivery that fails appears within 1 s without a reload, and its sentence is the control API's", async () => {
    await using receiver = await startReceiver(503);
    await using journey = await start();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    await addEndpoint(journey, receiver.url);
    await page.clock.install();
    await journey.open(deliveries);
    await page.getByText('No deliveries yet').waitFor();
    await holdClock(page);
    const row = page.getByRole('row', { name: /lifecycle\.evaluated/ });
    const [id = ''] = await cause(journey);
    await withinASecond(page, () => row.isVisible());
    // The limit also holds right after the page has asked. While rows are shown, new rows wait for a click on a button.
    const [second = ''] = await cause(journey);
    const button = page.getByRole('button', { name: '1 new' });
    await withinASecond(page, () => button.isVisible());
    await page.clock.resume();
    await settle(journey);
    await row.getByText('503').waitFor();
    await button.click();
    await page.getByRole('link', { name: new RegExp(second) }).waitFor();
    await page.getByRole('link', { name: new RegExp(id) }).click();
    await expectServiceSentence(page, journey, id);
  });

  test('journey 5: five failed deliveries disable the endpoint and ring the bell of its members; enabled again, the count is 0', async () => {
    await using receiver = await startReceiver(503);
    await using journey = await start();
    const { page, call } = journey;
    const { id } = await addEndpoint(journey, receiver.url);
    await call('POST', '/_control/clock', { freeze: true });
    await cause(journey, 5);
    await journey.open(`${W}/webhooks/${id}`);
    await page.getByText('none; five failures disable the endpoint').waitFor();
    await call('POST', '/_control/clock', { advance: '4d' });
    await page.getByText('The service disabled this endpoint').waitFor();
    const stateOf = async () => (await call('GET', `/_control/endpoints/${id}`)).body.endpoint;
    expect(await stateOf()).toMatchObject({ active: false, consecutiveFailures: 5 });
    for (const member of ['Olivia Owner', 'Adam Admin', 'Vera Viewer']) {
      await actAs(page, member);
      await page.getByRole('button', { name: '1 notification' }).click();
      const link = page.getByRole('link', { name: /^Endpoint disabled/ });
      expect(await link.getAttribute('href')).toMatch(new RegExp(`/webhooks/${id}$`));
      await page.keyboard.press('Escape');
    }
    // Gabe is in another organization: the service refuses him this workspace.
    journey.allow(/status of 403/);
    await actAs(page, 'Gabe Globex');
    await page.getByRole('button', { name: 'No notifications' }).waitFor();
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    await actAs(page, 'Olivia Owner');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('none; five failures disable the endpoint').waitFor();
    await page.locator('.screen-head').getByText('active', { exact: true }).waitFor();
    expect(await stateOf()).toMatchObject({ active: true, consecutiveFailures: 0 });
  });

  test('journey 12: another window follows within 1 s if the clock is moved', async () => {
    await using journey = await start();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    await page.clock.install();
    await journey.open(W);
    const second = await journey.newPage();
    await journey.open(W, second, journey.otherNode);
    const time = (on: typeof page) => on.locator('.time-now time').getAttribute('datetime');
    await expect.poll(() => time(second)).toBe(await time(page));
    await page.bringToFront();
    await holdClock(page);
    const before = Date.parse((await time(page)) ?? '');
    const moved = (hours: number) => new Date(before + hours * 3_600_000).toISOString();
    await page.getByRole('button', { name: '+12h' }).click();
    const bothAre = (hours: number) => async () =>
      (await Promise.all([page, second].map(time))).every((at) => at === moved(hours));
    await withinASecond(page, bothAre(12));
    // The reverse direction.
    await second.bringToFront();
    await second.getByRole('button', { name: '+1h' }).click();
    await withinASecond(page, bothAre(13));
    await page.clock.resume();
  });

  test('journey 13: filters are URLs: back, forward, reload and a second tab show the same', async () => {
    await using receiver = await startReceiver(204);
    await using journey = await start();
    const { page, call } = journey;
    await addEndpoint(journey, receiver.url);
    receiver.answer(503);
    const [twice = ''] = await cause(journey);
    await settle(journey);
    await call('POST', '/_control/clock', { advance: '5m' });
    receiver.answer(204);
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

    // After going back from a delivery far down in the list, the same rows are in view, even after a reload.
    const topOf = (on: typeof page) => on.locator('#main').evaluate((main) => Math.round(main.scrollTop));
    const top = () => topOf(page);
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

    // A second tab with the same URL asks the first one. A tab with another filter starts at the top.
    const twin = await journey.newPage();
    await journey.open(`${deliveries}?status=success`, twin);
    await expect.poll(() => topOf(twin)).toBe(4_000);
    expect(await twin.locator('[aria-rowindex="122"]').getByRole('link').first().getAttribute('href')).toBe(opened);
    await journey.open(deliveries, twin);
    await twin
      .getByRole('row', { name: /lifecycle\.evaluated/ })
      .first()
      .waitFor();
    expect(await topOf(twin)).toBe(0);
    await twin.close();

    const second = await journey.newPage();
    await journey.open(`${deliveries}${new URL(page.url()).search}`, second, journey.otherNode);
    expect(await second.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('success');
    // A tab that has just opened may still scroll to the other one's position, so scroll and read in one step.
    const firstRow = async (on: typeof page) => {
      let href: string | null = null;
      const read = async () => {
        href = await on.locator('#main').evaluate((main) => {
          main.scrollTo(0, 0);
          return main.querySelector('[aria-rowindex="2"] a')?.getAttribute('href') ?? null;
        });
        return href;
      };
      await expect.poll(read).not.toBeNull();
      return href;
    };
    expect(await firstRow(second)).toBe(await firstRow(page));

    // The URL keeps the selected attempt.
    const selected = (on: typeof page) => on.locator('.step[class*=selected] b');
    await journey.open(`${deliveries}/${twice}`);
    await selected(page).getByText('2 503').waitFor();
    await page.getByRole('link', { name: /^1 503/ }).click();
    await selected(page).getByText('1 503').waitFor();
    await page.reload();
    await selected(page).getByText('1 503').waitFor();
    await journey.open(`${deliveries}/${twice}${new URL(page.url()).search}`, second, journey.otherNode);
    await selected(second).getByText('1 503').waitFor();
    await page.goBack();
    await selected(page).getByText('2 503').waitFor();
  });
});
