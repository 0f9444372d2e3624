import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { demo, startJourney } from './support/journey.ts';

const W = `w/${demo.production.id}`;

test.skipIf(!executablePath)('the palette moves the clock, triggers events and changes the acting user', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await call('POST', '/_control/clock', { freeze: true });
  const clock = async () => (await call('GET', '/_control/clock')).body;
  const before = Date.parse((await clock()).now);
  await journey.open(W);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const choose = async (text: string, option: string) => {
    await page.keyboard.press('Control+K');
    const field = page.getByRole('combobox', { name: 'Search or paste an id' });
    await field.waitFor();
    // The field has the focus, so people can type at once.
    await page.keyboard.type(text);
    expect(await field.inputValue()).toBe(text);
    await page.getByRole('option', { name: option }).click();
  };
  await choose('advance hour', 'Advance the clock by 1 hour');
  await expect.poll(async () => Date.parse((await clock()).now) - before).toBe(3_600_000);
  await choose('resume', 'Resume the clock');
  await expect.poll(async () => (await clock()).frozen).toBe(false);
  // If the hour had a midnight in it, the evaluation made an event too.
  const countEvents = async () => (await call('GET', '/v1/events', undefined, demo.production.key)).body.data.length;
  const eventsBefore = await countEvents();
  await choose('trigger', 'Trigger an event');
  await page.getByText('Triggered the event.').first().waitFor();
  await page.getByRole('link', { name: 'Open the event' }).waitFor();
  expect(await countEvents()).toBe(eventsBefore + 1);
  await choose('act as vera', 'Act as Vera');
  await page.getByRole('button', { name: /Vera/ }).first().waitFor();
  // Enter opens a workspace. It does not change the acting user.
  await page.keyboard.press('Control+K');
  await page.keyboard.type('globex');
  await page.getByRole('option', { name: 'Act as Gabe Globex' }).waitFor();
  // Look in the palette's list only, because the filters of the page have options too.
  expect(await page.getByRole('listbox').getByRole('option', { selected: true }).textContent()).toContain(
    'Globex / Main',
  );
});

test.skipIf(!executablePath)(
  'the server screen shows metrics, and the account screen shows the user and notifications',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    await journey.open('server');
    await page.getByRole('button', { name: 'Read the metrics' }).click();
    await page.getByText('svc_delivery_lag_seconds').first().waitFor();
    const { data } = (await call('GET', '/_control/users')).body;
    const [user] = data;
    await journey.open(`account/${user.id}`);
    await page.getByText(user.email).first().waitFor();
    await page.getByText('None yet. Users get a notification when an endpoint is disabled.').waitFor();
    await journey.open('account/usr_01DEM00000000000000N0B0DY0');
    await page.getByRole('heading', { name: 'This user does not exist' }).waitFor();
    await page.getByRole('link', { name: 'Choose a user' }).click();
    await page.getByRole('cell', { name: user.email }).waitFor();
  },
);

test.skipIf(!executablePath)(
  'the id of an evaluation leads to its workspace, and the id of a fault to the faults',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', `/_control/workspaces/${demo.staging.id}/evaluate`, {});
    const evaluations = await call('GET', `/_control/workspaces/${demo.staging.id}/evaluations`);
    const { fault } = (await call('POST', '/_control/faults', { target: 'api', effect: { status: 503 }, times: 1 }))
      .body;
    for (const [id, what, place, heading] of [
      [evaluations.body.data[0].id, 'evaluation', `/w/${demo.staging.id}/lifecycle`, 'Lifecycle'],
      [fault.id, 'fault', '/server/faults', 'Faults'],
    ]) {
      await journey.open(W);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Search or paste an id' }).fill(id);
      await page.getByRole('option', { name: `${id} ${what}` }).click();
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/dashboard${place}`);
    }
  },
);
