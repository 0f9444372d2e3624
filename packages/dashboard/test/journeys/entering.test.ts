import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { executablePath, startBrowser } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, cause, demo, reportViolations, settle, signIn, startJourney, watch } from './support/journey.ts';
import { startReceiver } from './support/receiver.ts';

const TOKEN = 'let-me-in-9c41-and-many-more-letters';

test.skipIf(!executablePath)(
  'journey 19: the admin token is exchanged for a session of this tab, and is not stored',
  async () => {
    await using journey = await startJourney({ server: { adminToken: TOKEN } });
    const { page } = journey;
    await journey.open('');
    const field = page.getByLabel('Admin token');
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not the admin token').waitFor();
    await field.fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /Acme/ }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(TOKEN);
    expect(kept).toContain('svc_ses_');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('svc_ses_');
    await page.reload();
    await page.getByRole('button', { name: /Acme/ }).waitFor();
    // Another tab has its own session.
    const second = await journey.newPage();
    await journey.open('', second);
    await second.getByLabel('Admin token').waitFor();
    expect(page.url()).not.toContain('svc_ses_');
    journey.problems.splice(0);
  },
);

test.skipIf(!executablePath)(
  'journey 19: a tab at the sign-in page does not stop the updates of another tab, and a rejected stream asks to sign in',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney({ server: { adminToken: TOKEN } });
    await addEndpoint(journey, receiver.url);
    await journey.open('');
    await journey.page.getByLabel('Admin token').waitFor();
    const second = await journey.newPage();
    await journey.open(`w/${demo.production.id}/events`, second);
    await signIn(second, TOKEN);
    await second.getByText('Trigger an event').first().waitFor();
    await cause(journey);
    await second.getByRole('row', { name: /lifecycle\.evaluated/ }).waitFor();
    expect(await second.getByText('Cannot reach the server').count()).toBe(0);

    await second.route('**/_control/stream', (route) => route.fulfill({ status: 401, body: '{}' }));
    await second.reload();
    await second.getByLabel('Admin token').waitFor();
    journey.problems.splice(0);
  },
);

test.skipIf(!executablePath)('the strict profile without an admin token says what to do', async () => {
  await using journey = await startJourney({ server: { strict: true } });
  const { status, body } = await journey
    .call('GET', '/dashboard')
    .catch(async () => ({ status: 0, body: await (await fetch(`${journey.server.url}/dashboard`)).text() }));
  expect([status, body]).toEqual([0, expect.stringContaining('--admin-token')]);
});

/** A proxy that adds a path prefix. */
async function startProxy(target: () => string, prefix: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const url = new URL(request.url.slice(prefix.length), target());
    request.pipe(
      send(url, { method: request.method ?? 'GET', headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const PAGES = 250;

test.skipIf(!executablePath)('journey 20: second pages load as localhost and as 127.0.0.1', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney({ host: 'localhost' });
  await addEndpoint(journey, receiver.url);
  await cause(journey, PAGES);
  await settle(journey);
  await journey.open(`w/${demo.production.id}/deliveries`);
  await scrollToEnd(journey.page);
});

test.skipIf(!executablePath)('journey 20: behind a proxy with a path prefix, pages and files load', async () => {
  await using receiver = await startReceiver();
  let target = '';
  await using proxy = await startProxy(() => target, '/svc');
  await using journey = await startJourney({ server: { publicUrl: proxy.url } });
  target = journey.server.url;
  await addEndpoint(journey, receiver.url);
  await cause(journey, PAGES);
  await settle(journey);
  await using browser = await startBrowser();
  const page = await browser.newPage();
  const problems: string[] = [];
  await reportViolations(page.context());
  watch(page, [new URL(proxy.url).origin], problems);
  const besideThePath: string[] = [];
  page.on('request', (request) => request.url().startsWith(`${proxy.url}/`) || besideThePath.push(request.url()));
  await page.goto(`${proxy.url}/dashboard/w/${demo.production.id}/deliveries`);
  await scrollToEnd(page);
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.getByRole('heading', { name: 'Workspace Lifecycle Service API' }).waitFor();
  expect(page.url()).toMatch(`${proxy.url}/docs`);
  expect(problems).toEqual([]);
  expect(besideThePath).toEqual([]);
});

async function scrollToEnd(page: import('playwright-core').Page): Promise<void> {
  await page
    .getByRole('row', { name: /lifecycle\.evaluated/ })
    .first()
    .waitFor();
  const end = page.getByText(`${PAGES} deliveries, newest first. This is the end.`);
  await expect
    .poll(async () => {
      await page.evaluate(() => {
        const main = document.getElementById('main');
        if (main) main.scrollTop = main.scrollHeight;
      });
      return await end.count();
    })
    .toBe(1);
}
