import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@svc/testing';
import { executablePath, startBrowser } from '@svc/testing/browser';
import { createDatabase, startCluster } from '@svc/testing/postgres';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { addEndpoint, demo, reportViolations, startJourney, watch } from '../journeys/support/journey.ts';
import { startReceiver } from '../journeys/support/receiver.ts';

async function post(url: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok, await response.text()).toBe(true);
}

const register = (server: string, path: string) =>
  post(`${server}/v1/webhooks/endpoints`, { url: `http://127.0.0.1:9/${path}`, subscribedEvents: ['lifecycle.*'] });

/** The packed server in a separate process. */
const start = (folder: string, port = '0') =>
  startProcess(
    ['--data', folder, '--port', port],
    [process.execPath, join(inject('packedServer'), 'bin/svc-mock.js'), 'start'],
  );

/** Makes a page believe that its tab is hidden, or shown again. Chromium without a window shows every tab. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

/** The banner says how old the shown data is, and counts the seconds. */
async function expectCounter(page: Page): Promise<void> {
  const seconds = async () => {
    const text = (await page.locator('.banner').textContent()) ?? '';
    return Number(
      /shows data as of .*\d\d:\d\d:\d\d.* \(real time\), and has tried to reload it for (\d+) s\./.exec(text)?.[1],
    );
  };
  await expect.poll(seconds).toBeGreaterThan(0);
}

test.skipIf(!executablePath)(
  'journey 15: while the server is down, the page keeps its content; it continues by itself, and a reset clears it',
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-journey-'));
    await using first = await start(folder.path);
    const { url } = first.ready;
    await using browser = await startBrowser();
    const context = await browser.newContext();
    const problems: string[] = [];
    await reportViolations(context);
    context.on('page', (opened) => watch(opened, [new URL(url).origin], problems));
    await register(url, 'before');
    const page = await context.newPage();
    const second = await context.newPage();
    for (const opened of [second, page]) await opened.goto(`${url}/dashboard/w/${demo.production.id}/webhooks`);
    const shown = (path: string) => page.getByRole('link', { name: `127.0.0.1:9/${path}` });
    const banner = page.getByText('Cannot reach the server.');
    await shown('before').waitFor();
    // A half-filled form.
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/typed');
    await dialog.getByLabel(/^Description/).fill('Typed before');

    await first.end('SIGKILL');
    await banner.waitFor();
    await expectCounter(page);
    expect(await shown('before').isVisible()).toBe(true);
    expect(await page.locator('main.stale').count()).toBe(1);
    // Submitting it now fails, and the form keeps its input.
    await dialog.getByRole('button', { name: 'Register endpoint' }).click();
    await expect.poll(() => dialog.locator('.problem').allTextContents()).toContainEqual(expect.stringMatching(/\S/));
    expect(await dialog.getByLabel('URL').inputValue()).toBe('http://127.0.0.1:9/typed');
    // A screen whose code is not loaded yet waits for the server too.
    await second.getByRole('link', { name: 'API keys' }).click();
    await using _restarted = await start(folder.path, new URL(url).port);
    await banner.waitFor({ state: 'detached' });
    await second.getByRole('heading', { name: 'API keys' }).waitFor();
    await dialog.getByRole('button', { name: 'Register endpoint' }).click();
    await dialog.getByLabel('I have copied it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await shown('typed').waitFor();
    await page.getByText('Typed before').waitFor();
    expect(await shown('before').isVisible()).toBe(true);
    expect(await page.locator('main.stale').count()).toBe(0);

    await register(url, 'after');
    await shown('after').waitFor();

    await post(`${url}/_control/reset`, {});
    await page.getByText('The server was reset').first().waitFor();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await shown('before').count()).toBe(0);
    // The only problems are that the server was down.
    expect(problems.filter((problem) => !/net::ERR_|status of 404/.test(problem))).toEqual([]);
  },
);

test.skipIf(!executablePath)(
  'journey 15: while the database is down, calls get 503; the page keeps its content, and nothing is lost',
  async () => {
    await using cluster = await startCluster();
    const databaseUrl = await createDatabase({ url: cluster.url, prefix: `svc_outage_${process.pid}` });
    const masterKey = Buffer.alloc(32, 'journeys').toString('base64');
    await using journey = await startJourney({ server: { databaseUrl, masterKey } });
    const { page, call } = journey;
    await addEndpoint(journey, 'http://127.0.0.1:9/before');
    await journey.open(`w/${demo.production.id}/webhooks`);
    const shown = (path: string) => page.getByRole('link', { name: `127.0.0.1:9/${path}` });
    await shown('before').waitFor();
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/typed');

    await cluster.stop();
    journey.allow(/status of 503/);
    expect((await call('GET', '/v1/me')).status).toBe(503);
    await dialog.getByRole('button', { name: 'Register endpoint' }).click();
    await expect.poll(() => dialog.locator('.problem').allTextContents()).toContainEqual(expect.stringMatching(/\S/));
    const banner = page.getByText('The server cannot respond at the moment.');
    await banner.waitFor();
    await expectCounter(page);
    expect(await shown('before').isVisible()).toBe(true);
    expect(await page.locator('main.stale').count()).toBe(1);

    // One probe asks for the whole page, and a hidden page asks for nothing.
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const probes = () => requested.filter((path) => path === '/health/ready').length;
    await expect.poll(probes).toBe(3);
    expect(requested.filter((path) => path !== '/health/ready')).toEqual([]);
    await setHidden(page, true);
    const whenHidden = requested.length;

    await cluster.start();
    await expect.poll(async () => (await call('GET', '/v1/me')).status).toBe(200);
    expect(requested.slice(whenHidden)).toEqual([]);
    expect(await banner.isVisible()).toBe(true);
    await setHidden(page, false);
    await banner.waitFor({ state: 'detached' });
    expect(await page.locator('main.stale').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Register endpoint' }).click();
    await dialog.getByLabel('I have copied it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await shown('typed').waitFor();
    expect(await shown('before').isVisible()).toBe(true);
  },
);

test.skipIf(!executablePath)(
  'journey 15: while a stopping server finishes a delivery, the page keeps its content; the next server shows the result',
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-journey-'));
    await using stopping = await start(folder.path);
    const { url } = stopping.ready;
    const answer = Promise.withResolvers<void>();
    await using receiver = await startReceiver();
    receiver.before = answer.promise;
    await using browser = await startBrowser();
    const page = await browser.newPage();
    const problems: string[] = [];
    await reportViolations(page.context());
    watch(page, [new URL(url).origin], problems);
    await post(`${url}/v1/webhooks/endpoints`, { url: receiver.url, subscribedEvents: ['lifecycle.*'] });
    await post(`${url}/_control/events`, { type: 'lifecycle.evaluated', workspaceId: demo.production.id });
    await expect.poll(() => receiver.received.length).toBe(1);
    await page.goto(`${url}/dashboard/w/${demo.production.id}/deliveries`);
    const row = page.getByRole('row', { name: /lifecycle\.evaluated/ });
    await row.getByText('pending').waitFor();

    stopping.kill('SIGTERM');
    const banner = page.locator('.banner');
    await banner.waitFor();
    await expectCounter(page);
    expect(await row.getByText('pending').isVisible()).toBe(true);
    expect(await page.locator('main.stale').count()).toBe(1);

    answer.resolve();
    expect(await stopping.ended).toEqual({ code: 0, signal: null });
    await using _restarted = await start(folder.path, new URL(url).port);
    await banner.waitFor({ state: 'detached' });
    await row.getByText('success').waitFor();
    expect(receiver.received).toHaveLength(1);
    expect(await page.locator('main.stale').count()).toBe(0);
    expect(problems.filter((problem) => !/net::ERR_|status of 503/.test(problem))).toEqual([]);
  },
);
