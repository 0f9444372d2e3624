import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';
import { addEndpoint, demo, startJourney } from './support/journey.ts';

/** An attacker's host name that resolves to this machine, as after DNS rebinding. */
const REBOUND_HOST = 'rebound.attacker.test';

/** An attacker's page, on another port of this machine. */
async function startAttacker(page: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test.skipIf(!executablePath).each([
  ['a foreign page', 'localhost'],
  ['a page on another port', '127.0.0.1'],
])('journey 18: %s gets nothing by fetch, form, image or frame', async (_who, host) => {
  await using journey = await startJourney();
  const { page, server, call } = journey;
  await addEndpoint(journey, 'http://127.0.0.1:9/kept');
  await using attacker = await startAttacker(`<!doctype html>
    <form id="form" method="post" enctype="text/plain" action="${server.url}/_control/reset" target="sink">
      <input name='{"a":"' value='"}' />
    </form>
    <form id="get" action="${server.url}/_control/info" target="got"></form>
    <iframe name="sink"></iframe>
    <iframe name="got"></iframe>
    <iframe name="dashboard" src="${server.url}/dashboard/"></iframe>
    <iframe name="docs" src="${server.url}/docs"></iframe>
    <img id="image" src="${server.url}/_control/clock" />`);
  const answered: string[] = [];
  const images: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.resourceType() === 'image') images.push(new URL(request.url()).pathname);
  });
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin === server.url) answered.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  await page.goto(attacker.url.replace('127.0.0.1', host));
  const outcome = await page.evaluate(async (url) => {
    const json = { 'content-type': 'application/json' };
    const attempts = [
      ['GET', '/_control/clock', {}],
      ['GET', '/_control/info', { mode: 'no-cors' }],
      ['GET', '/_control/stream', {}],
      ['POST', '/_control/reset', { headers: json, body: '{}' }],
      ['POST', '/_control/reset', { mode: 'no-cors', body: '{}' }],
      ['POST', '/_control/sessions', { mode: 'no-cors', body: '{}' }],
      ['DELETE', '/_control/faults', {}],
    ] as const;
    const results: string[] = [];
    for (const [method, path, init] of attempts) {
      results.push(
        await fetch(url + path, { method, ...init } as RequestInit).then(
          ({ type }) => type,
          () => 'refused',
        ),
      );
    }
    for (const id of ['#form', '#get']) (document.querySelector(id) as HTMLFormElement).submit();
    return { results, image: (document.querySelector('#image') as HTMLImageElement).naturalWidth };
  }, server.url);
  // The page can read nothing. Each response is either refused, or opaque with an error status, checked below.
  expect(outcome).toEqual({
    results: ['refused', 'opaque', 'refused', 'refused', 'opaque', 'opaque', 'refused'],
    image: 0,
  });
  const control = () => answered.filter((one) => one.includes(' /_control/'));
  const count = (call: string) => control().filter((one) => one.startsWith(call)).length;
  // This covers fetch and forms. The browser does not show the result of an image at all.
  await expect.poll(() => count('POST /_control/reset')).toBeGreaterThanOrEqual(2);
  await expect.poll(() => count('GET /_control/info')).toBeGreaterThanOrEqual(2);
  await expect.poll(() => images).toContain('/_control/clock');
  expect(control().filter((one) => !one.endsWith(' 403'))).toEqual([]);
  // The frames show the browser's own error page, which this page cannot read.
  for (const name of ['dashboard', 'docs']) {
    await expect.poll(() => page.frame(name)?.url()).toMatch(/^chrome-error:/);
  }
  const { data } = (await call('GET', '/v1/webhooks/endpoints')).body;
  expect(data).toMatchObject([{ url: 'http://127.0.0.1:9/kept' }]);
  journey.allow(/./);
});

test.skipIf(!executablePath)(
  'journey 18: under a name that an attacker rebinds to this address, the browser gets no page and no data',
  async () => {
    await using journey = await startJourney();
    const { page, server } = journey;
    const rebound = server.url.replace('127.0.0.1', REBOUND_HOST);
    for (const path of ['/dashboard/', '/docs']) {
      expect((await page.goto(rebound + path))?.status()).toBe(403);
    }
    // For the browser, this is the same origin as the page.
    const statuses = await page.evaluate(async () => {
      const statusOf = async (path: string, init?: RequestInit) => (await fetch(path, init)).status;
      return [
        await statusOf('/_control/info'),
        await statusOf('/_control/stream'),
        await statusOf('/_control/reset', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
      ];
    });
    expect(statuses).toEqual([403, 403, 403]);
    journey.allow(new RegExp(`${REBOUND_HOST}`));
  },
);

/** `fetch` does not allow setting `Host` and `Sec-Fetch-Site`. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test.skipIf(!executablePath)(
  'journey 18: requests with another name or port in the Host header, or from another site, get no page and no data',
  async () => {
    await using journey = await startJourney();
    const { port } = journey.server;
    for (const path of ['/dashboard', '/dashboard/w/x', '/_control/info', '/_control/stream']) {
      expect(await statusOf(port, path, { host: `${REBOUND_HOST}:${port}` })).toBe(403);
      expect(await statusOf(port, path, { host: '127.0.0.1:1' })).toBe(403);
    }
    expect(await statusOf(port, '/dashboard', { host: `127.0.0.1:${port}` })).toBe(200);
    expect(await statusOf(port, '/_control/info', { host: `localhost:${port}` })).toBe(200);
    // What a browser sends for an image, and for an address that somebody typed.
    for (const [site, status] of [
      ['cross-site', 403],
      ['same-site', 403],
      ['same-origin', 200],
      ['none', 200],
    ] as const) {
      const headers = { host: `127.0.0.1:${port}`, 'sec-fetch-site': site, 'sec-fetch-dest': 'image' };
      expect(await statusOf(port, '/_control/clock', headers)).toBe(status);
    }
  },
);

test.skipIf(!executablePath)('the page refuses inserted inline code and markup', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await journey.open('');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const result = await page.evaluate(() => {
    const script = document.createElement('script');
    try {
      script.text = 'globalThis.ran = true';
    } catch {}
    document.body.append(script);
    let inserted = true;
    try {
      document.body.insertAdjacentHTML('beforeend', '<b>markup</b>');
    } catch {
      inserted = false;
    }
    return { ran: 'ran' in globalThis, inserted };
  });
  expect(result).toEqual({ ran: false, inserted: false });
  journey.allow(/trusted|Content Security Policy/i);
});

test.skipIf(!executablePath)('a name that changes the direction of text changes nothing outside the name', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  const name = 'Pay\u202eroll';
  expect((await call('PATCH', `/v1/workspaces/${demo.production.id}`, { name })).status).toBe(200);
  await journey.open(`w/${demo.production.id}/deliveries`);
  await page.getByRole('heading', { name: 'Deliveries' }).first().waitFor();
  await expect.poll(() => page.title()).toMatch(/Payroll$/);
  const shown = page.getByText(name, { exact: true }).first();
  await shown.waitFor();
  expect(await shown.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate');
});
