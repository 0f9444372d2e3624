import { executablePath } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from './support/journey.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const W = `w/${demo.production.id}`;

describe.skipIf(!executablePath)('at 360 px', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  let page: Page;
  let delivery: string;
  let fault: string;
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver(503, 'no'));
    journey = cleanup.use(await startJourney());
    await addEndpoint(journey, receiver.url);
    await addEndpoint(journey, `${receiver.url}/second`, ['lifecycle.evaluated']);
    await journey.call('POST', '/_control/clock', { freeze: true });
    [delivery = ''] = await cause(journey);
    await settle(journey);
    const added = await journey.call('POST', '/_control/faults', { target: 'delivery', effect: { status: 500 } });
    fault = added.body.fault.id;
    page = await journey.newPage({ viewport: { width: 360, height: 800 } });
  });
  afterAll(() => cleanup.disposeAsync());

  test('every screen says that it is a reference server', async () => {
    for (const path of ['deliveries', 'webhooks']) {
      await journey.open(`${W}/${path}`, page);
      const bar = page.getByRole('region', { name: 'Virtual time' });
      expect(await bar.getByText('Reference server').isVisible()).toBe(true);
      expect(await page.locator('main.bench').count()).toBe(0);
    }
    for (const [path, heading] of [
      [`${W}/requests`, 'Requests'],
      ['server/faults', 'Faults'],
      ['server', 'Server'],
    ] as const) {
      await journey.open(path, page);
      const main = page.getByRole('main');
      await main.getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(await main.getByText('Reference server', { exact: true }).first().isVisible()).toBe(true);
      const tints = await page.evaluate(() =>
        ['main', 'body'].map((name) => getComputedStyle(document.querySelector(name) as Element).backgroundColor),
      );
      expect(new Set(tints).size).toBe(2);
    }
  });

  test('the drawer has the focus while it is open, and no covered button can get the focus', async () => {
    await journey.open(`${W}/deliveries`, page);
    const menu = page.getByRole('button', { name: 'Menu' });
    const drawer = page.getByRole('navigation', { name: 'Screens' });
    const focused = async () => await page.evaluate(() => document.activeElement?.textContent);
    await menu.press('Enter');
    await expect.poll(focused).toBe('Overview');
    await page.keyboard.press('Shift+Tab');
    await drawer.waitFor({ state: 'hidden' });
    await menu.press('Enter');
    await expect.poll(focused).toBe('Overview');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
    await menu.click();
    await drawer.waitFor();
    await menu.click();
    await drawer.waitFor({ state: 'hidden' });
  });

  test('a delivery in the list shows the attempt and the response', async () => {
    await journey.open(`${W}/deliveries`, page);
    const row = page.getByRole('row', { name: new RegExp(delivery) });
    await row.waitFor();
    for (const [cell, text] of [
      ['.c-attempt', '1/11'],
      ['.c-response', /^503/],
    ] as const) {
      expect(await row.locator(cell).isVisible()).toBe(true);
      expect(await row.locator(cell).textContent()).toEqual(expect.stringMatching(text));
    }
  });

  test('links of event types are large enough for a finger, and cells say what they show', async () => {
    await journey.open(`${W}/event-types`, page);
    const row = page.getByRole('row', { name: /lifecycle\.evaluated/ });
    const links = row.locator('li a');
    await links.nth(1).waitFor();
    for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    const labels = () => row.locator('td').evaluateAll((cells) => cells.map((cell) => cell.dataset['label'] ?? ''));
    expect(await labels()).toEqual(['', 'Category', 'Subscribed by', '']);
  });

  test('API keys say what each cell shows', async () => {
    await journey.open(`${W}/api-keys`, page);
    const cells = page.getByRole('row', { name: /Acme Production/ }).locator('td[data-label]');
    await cells.first().waitFor();
    expect(await cells.evaluateAll((all) => all.map((cell) => cell.dataset['label']))).toEqual([
      'Name',
      'Id',
      'Kind',
      'Created',
    ]);
  });

  test('the mark of a fault keeps its distance from the search', async () => {
    await journey.open(`${W}/deliveries`, page);
    const mark = await page.getByRole('link', { name: /active fault/ }).boundingBox();
    const search = await page.getByRole('button', { name: /Search/ }).boundingBox();
    expect((search?.x ?? 0) - ((mark?.x ?? 0) + (mark?.width ?? 0))).toBeGreaterThanOrEqual(8);
    await journey.call('DELETE', `/_control/faults/${fault}`);
  });

  test('long names without spaces fit into the screen', async () => {
    const long = 'W'.repeat(120);
    const { call } = journey;
    const { user } = (await call('POST', '/_control/users', { name: long, email: `${'w'.repeat(60)}@long.test` })).body;
    const { organization } = (await call('POST', '/_control/organizations', { name: long })).body;
    const body = { organizationId: organization.id, name: long };
    const { workspace } = (await call('POST', '/_control/workspaces', body)).body;
    const control = `/_control/workspaces/${workspace.id}`;
    await call('PUT', `/_control/organizations/${organization.id}/members/${user.id}`, { role: 'Owner' });
    await call('PUT', `${control}/profiles`, [{ externalId: long, name: long, email: long }]);
    await call('PUT', `${control}/data-source`, { kind: 'ndjson', location: `/${long}${long}` });
    await call('POST', `${control}/data-source/sync`, {});
    const [profile] = (await call('GET', `${control}/profiles`)).body.data;
    for (const path of [
      `w/${workspace.id}/profiles/${profile.id}`,
      `w/${workspace.id}/lifecycle`,
      `w/${workspace.id}/members`,
      `account/${user.id}`,
      'server',
    ]) {
      await journey.open(path, page);
      const main = page.getByRole('main');
      await main.getByText('WWW').first().waitFor();
      expect(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
  });

  test('the tooltip of a time near the left edge is not cut off', async () => {
    await journey.open(`${W}/api-keys`, page);
    const time = page.getByRole('row', { name: /Acme Production/ }).locator('time');
    await time.hover();
    const session = await page.context().newCDPSession(page);
    const found = await session.send('Runtime.evaluate', { expression: "document.querySelector('main time')" });
    const { node } = await session.send('DOM.describeNode', { objectId: found.result.objectId ?? '' });
    const tip = node.pseudoElements?.find(({ pseudoType }) => pseudoType === 'after')?.backendNodeId ?? 0;
    const [left = -1] = (await session.send('DOM.getBoxModel', { backendNodeId: tip })).model.border;
    expect(left).toBeGreaterThanOrEqual(0);
  });

  test('one attempt is highlighted, not the whole card', async () => {
    await journey.open(`${W}/deliveries/${delivery}`, page);
    await page.setViewportSize({ width: 1280, height: 800 });
    const step = page.locator('.step.selected .step-body');
    await step.waitFor();
    expect((await step.boundingBox())?.width).toBeLessThan(160);
  });
});

test.skipIf(!executablePath).each([725, 768, 893, 905])('at %i px, nothing is cut off', async (width) => {
  await using journey = await startJourney();
  const { call } = journey;
  await addEndpoint(journey, 'http://127.0.0.1:9/');
  await cause(journey);
  await call('POST', '/_control/clock', { advance: '12h' });
  await cause(journey);
  await call('POST', '/_control/clock', { reset: true });
  const page = await journey.newPage({ viewport: { width, height: 700 } });
  for (const path of ['deliveries', 'events', 'profiles']) {
    await journey.open(`${W}/${path}`, page);
    await page.locator('.rows .c-time').first().waitFor();
    await page.getByRole('button', { name: 'More about time' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const table = await page.getByRole('table').boundingBox();
    const time = await page.locator('.rows .c-time > *').first().boundingBox();
    expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThanOrEqual((table?.x ?? 0) + (table?.width ?? 0));
  }
});
