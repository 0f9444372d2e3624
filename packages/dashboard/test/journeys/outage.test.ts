import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { executablePath, startBrowser } from './support/chromium.ts';
import { demo } from './support/journey.ts';
import { startProcess } from './support/server-process.ts';

async function post(url: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok, await response.text()).toBe(true);
}

const register = (server: string, path: string) =>
  post(`${server}/v1/webhooks/endpoints`, { url: `http://127.0.0.1:9/${path}`, subscribedEvents: ['lifecycle.*'] });

test.skipIf(!executablePath)(
  'journey 15: while the server is away the page keeps what it shows; it goes on by itself, and forgets all on a reset',
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-journey-'));
    await using first = await startProcess(['--data', folder.path, '--port', '0']);
    await using browser = await startBrowser();
    const page = await browser.newPage();
    await register(first.url, 'before');
    await page.goto(`${first.url}/dashboard/w/${demo.production.id}/webhooks`);
    const shown = (path: string) => page.getByText(`127.0.0.1:9/${path}`);
    const banner = page.getByText('Cannot reach the server.');
    await shown('before').waitFor();

    await first.kill('SIGKILL');
    await banner.waitFor();
    expect(await shown('before').isVisible()).toBe(true);
    await using second = await startProcess(['--data', folder.path, '--port', first.port]);
    await banner.waitFor({ state: 'detached' });
    await register(second.url, 'after');
    await shown('after').waitFor();
    expect(await shown('before').isVisible()).toBe(true);

    // The database is away: the server answers, with 503.
    let refused = 0;
    await page.route(/\/v1\//, async (route) => {
      refused++;
      await route.fulfill({ status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'No database.' } } });
    });
    await register(second.url, 'meanwhile');
    await expect.poll(() => refused).toBeGreaterThan(0);
    expect(await shown('after').isVisible()).toBe(true);
    await page.unroute(/\/v1\//);
    await register(second.url, 'again');
    await shown('again').waitFor();
    await shown('meanwhile').waitFor();

    await post(`${second.url}/_control/reset`, {});
    await page.getByText('The server was reset').first().waitFor();
    expect(await shown('before').count()).toBe(0);
  },
);
