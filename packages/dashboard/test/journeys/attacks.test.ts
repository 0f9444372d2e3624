import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { executablePath } from './support/chromium.ts';
import { startJourney } from './support/journey.ts';

/** A page of an attacker, on another port of this machine. */
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

test.skipIf(!executablePath)("journey 18: another page's fetch, form, image and frame are refused", async () => {
  await using journey = await startJourney();
  const { page, server, call } = journey;
  const before = (await call('GET', '/_control/clock')).body;
  await using attacker = await startAttacker(`<!doctype html>
    <form id="form" method="post" enctype="text/plain" action="${server.url}/_control/reset" target="sink">
      <input name='{"a":"' value='"}' />
    </form>
    <iframe name="sink"></iframe>
    <iframe id="frame" src="${server.url}/dashboard/"></iframe>
    <img id="image" src="${server.url}/_control/clock" />`);
  const statuses: [string, number][] = [];
  page.on('response', (response) => statuses.push([new URL(response.url()).pathname, response.status()]));
  await page.goto(attacker.url);
  const outcome = await page.evaluate(async (url) => {
    const attempts = [
      ['GET', '/_control/clock', {}],
      ['POST', '/_control/reset', { headers: { 'content-type': 'application/json' }, body: '{}' }],
      ['POST', '/_control/reset', { mode: 'no-cors', body: '{}' }],
    ] as const;
    const results = [];
    for (const [method, path, init] of attempts) {
      results.push(
        await fetch(url + path, { method, ...init } as RequestInit).then(
          (response) => response.type,
          () => 'refused',
        ),
      );
    }
    (document.querySelector('#form') as HTMLFormElement).submit();
    return results;
  }, server.url);
  // An opaque response cannot be read; its status, below, says that it was refused.
  expect(outcome).toEqual(['refused', 'refused', 'opaque']);
  await expect.poll(() => statuses.filter(([path]) => path === '/_control/reset').length).toBeGreaterThanOrEqual(2);
  expect(statuses.filter(([path]) => path.startsWith('/_control')).every(([, status]) => status >= 400)).toBe(true);
  // The frame shows the browser's own error page, which this page cannot see into.
  const frame = page.frames().find((one) => one.url().startsWith('chrome-error:'));
  expect(frame).toBeDefined();
  expect((await call('GET', '/_control/clock')).body.frozen).toBe(before.frozen);
  journey.problems.splice(0);
});

/** `fetch` sends no `Host` of one's own. */
function statusUnderHost(port: number, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test.skipIf(!executablePath)(
  'journey 18: a name that an attacker rebinds to this address gets neither data nor page',
  async () => {
    await using journey = await startJourney();
    const { port } = journey.server;
    for (const path of ['/dashboard', '/dashboard/w/x', '/_control/info', '/_control/stream']) {
      expect(await statusUnderHost(port, path, `rebound.attacker.test:${port}`)).toBe(403);
      expect(await statusUnderHost(port, path, '127.0.0.1:1')).toBe(403);
    }
    expect(await statusUnderHost(port, '/dashboard', `127.0.0.1:${port}`)).toBe(200);
    expect(await statusUnderHost(port, '/_control/info', `localhost:${port}`)).toBe(200);
  },
);

test.skipIf(!executablePath)('the page refuses inline code and markup, whoever would insert it', async () => {
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
  journey.problems.splice(0);
});
