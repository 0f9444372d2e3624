import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { startProcess } from '../../../acceptance/src/server-process.ts';
import { executablePath, startBrowser } from './support/chromium.ts';
import { demo } from './support/journey.ts';

async function post(url: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok, await response.text()).toBe(true);
}

const register = (server: string, path: string) =>
  post(`${server}/v1/webhooks/endpoints`, { url: `http://127.0.0.1:9/${path}`, subscribedEvents: ['lifecycle.*'] });

/** The packed server in a process of its own. */
const start = (folder: string, port = '0') =>
  startProcess(
    ['--data', folder, '--port', port],
    [process.execPath, join(inject('packedServer'), 'bin/svc-mock.js'), 'start'],
  );

test.skipIf(!executablePath)(
  'journey 15: while the server is away the page keeps what it shows; it goes on by itself, and forgets all on a reset',
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-journey-'));
    await using first = await start(folder.path);
    const { url } = first.ready;
    await using browser = await startBrowser();
    const page = await browser.newPage();
    await register(url, 'before');
    await page.goto(`${url}/dashboard/w/${demo.production.id}/webhooks`);
    const shown = (path: string) => page.getByText(`127.0.0.1:9/${path}`);
    const banner = page.getByText('Cannot reach the server.');
    await shown('before').waitFor();

    await first.end('SIGKILL');
    await banner.waitFor();
    expect(await shown('before').isVisible()).toBe(true);
    expect(await page.locator('main.stale').count()).toBe(1);
    // A screen whose code is not loaded yet waits for the server, too.
    await page.getByRole('link', { name: 'API keys' }).click();
    await using _second = await start(folder.path, new URL(url).port);
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();
    await register(url, 'after');
    await shown('after').waitFor();
    expect(await shown('before').isVisible()).toBe(true);

    // The database is away: the server answers, with 503.
    let refused = 0;
    await page.route(/\/v1\//, async (route) => {
      refused++;
      await route.fulfill({ status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'No database.' } } });
    });
    await register(url, 'meanwhile');
    const unavailable = page.getByText('The server cannot answer at the moment (503).');
    await unavailable.waitFor();
    expect(await shown('after').isVisible()).toBe(true);
    expect(await page.locator('main.stale').count()).toBe(1);
    // It asks again by itself.
    const refusedBefore = refused;
    await expect.poll(() => refused).toBeGreaterThan(refusedBefore);
    await page.unroute(/\/v1\//);
    await unavailable.waitFor({ state: 'detached' });
    await shown('meanwhile').waitFor();
    expect(await page.locator('main.stale').count()).toBe(0);
    await register(url, 'again');
    await shown('again').waitFor();
    await shown('meanwhile').waitFor();

    await post(`${url}/_control/reset`, {});
    await page.getByText('The server was reset').first().waitFor();
    expect(await shown('before').count()).toBe(0);
  },
);
