import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '@svc/mock-server';
import { chromiumOrExit } from '@svc/testing/chromium';
import { chromium, type Page } from 'playwright-core';
import { printHelpIfAsked } from '../../../scripts/usage.ts';
import { takeSocialCard } from './social-card.ts';

printHelpIfAsked(`
Takes pictures of the dashboard in Debian's chromium, in light and dark.

  npm run pictures                          writes the pictures of the README and the guides to docs/pictures, and takes
                                            the picture that social networks show for a link to the site
  npm run pictures -- --all <folder>        takes pictures of every screen, in a wide and in a narrow window
`);

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const folder = positionals[0] ?? join(import.meta.dirname, '../../../docs/pictures');
const executablePath = chromiumOrExit();

const WORKSPACE = 'wsp_01DEM00000000000000PR0D000';
const KEY = 'svc_sk_test_demo_acme_production';
const W = `w/${WORKSPACE}`;
/** A workspace without endpoints, events or profiles. */
const EMPTY = 'w/wsp_01DEM0000000000000STAG1NG0';

/** Starts a receiver on a free port. */
async function startReceiver(answer: (body: string) => { status: number; body: string }): Promise<HttpServer> {
  const receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { status, body } = answer(text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  return receiver;
}

const urlOf = (receiver: HttpServer, path: string) =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

await using cleanup = new AsyncDisposableStack();
const server = cleanup.use(await startServer({ port: 0, dataDir: null, logLevel: 'silent' }));
const good = await startReceiver(() => ({ status: 204, body: '' }));
let refused = 0;
const bad = await startReceiver(() => ({
  status: 503,
  body: JSON.stringify({ error: 'The order database is down.', refused: ++refused }),
}));
for (const receiver of [good, bad]) {
  cleanup.defer(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the story knows the shape of each response.
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

const cause = async (count: number) =>
  await call('POST', '/_control/events', {
    events: Array.from({ length: count }, () => ({ workspaceId: WORKSPACE, type: 'lifecycle.evaluated' })),
  });
const advance = async (by: string) => await call('POST', '/_control/clock', { advance: by });

/** Creates a working endpoint, a failing endpoint, and some days of deliveries. */
async function tellStory() {
  await call('POST', '/_control/clock', { freeze: true });
  const subscribedEvents = ['lifecycle.*'];
  await call('POST', '/v1/webhooks/endpoints', { url: urlOf(good, '/hooks/crm'), subscribedEvents });
  const { endpoint, secret } = await call('POST', '/v1/webhooks/endpoints', {
    url: urlOf(bad, '/hooks/orders'),
    subscribedEvents,
  });
  for (let day = 0; day < 4; day++) {
    await cause(day + 1);
    await advance('1d');
  }
  await cause(3);
  await advance('5m');
  const { data } = await call('GET', `/v1/webhooks/deliveries?status=pending&endpointId=${endpoint.id}&limit=1`);
  const { data: profiles } = await call('GET', `/_control/workspaces/${WORKSPACE}/profiles?q=lovelace`);
  const { data: events } = await call('GET', '/v1/events?limit=1');
  return {
    delivery: data[0].id,
    endpoint: endpoint.id,
    profile: profiles[0].id,
    event: events[0].id,
    secret: secret.secret,
  };
}

const ids = await tellStory();

/** Checks the signature with the right secret, and shows the steps of the check. */
async function checkSignature(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check signature' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(ids.secret);
  await page.getByRole('dialog').getByRole('button', { name: 'Check' }).click();
  await page.getByText('What your receiver must compute').click();
}

/** Makes all of the page's calls to the server fail, and then opens another screen. */
async function loseServer(page: Page): Promise<void> {
  await page.route(/\/(v1|_control|health)\//, (route) => route.abort());
  // Click the link with a script, because in a narrow window, the link is in a drawer.
  await page
    .locator('nav a', { hasText: 'Events' })
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await page.locator('.banner').waitFor();
}

/**
 * Each picture's name, the path of the screen, a text that appears when the screen is loaded, and an action to run
 * before the picture is taken.
 */
const SCREENS: readonly (readonly [name: string, path: string, ready: string, act?: (page: Page) => Promise<void>])[] =
  [
    ['overview', W, 'Needs attention'],
    ['deliveries', `${W}/deliveries`, 'lifecycle.evaluated'],
    ['delivery', `${W}/deliveries/${ids.delivery}`, 'Response'],
    ['endpoint', `${W}/webhooks/${ids.endpoint}`, 'As a table'],
    ['lifecycle', `${W}/lifecycle`, 'As a table'],
    ['reference', '../docs#createWebhookEndpoint', 'Test Request'],
    ...(values.all
      ? ([
          ['webhooks', `${W}/webhooks`, 'hooks/orders'],
          ['events', `${W}/events`, 'lifecycle.evaluated'],
          ['event', `${W}/events/${ids.event}`, 'Attempt 1'],
          ['profiles', `${W}/profiles`, 'Ada Lovelace'],
          ['profile', `${W}/profiles/${ids.profile}`, 'Signals'],
          ['api-keys', `${W}/api-keys`, 'Acme Production'],
          ['event-types', `${W}/event-types`, 'Subscribed by'],
          ['requests', `${W}/requests`, 'createWebhookEndpoint'],
          ['settings', `${W}/settings`, 'Weeks start on'],
          ['members', `${W}/members`, 'Vera Viewer'],
          ['account', 'account', 'Choose a user'],
          ['server', 'server', 'Globex'],
          ['faults', 'server/faults', 'No faults'],
          ['comparison', `${W}/deliveries/${ids.delivery}?attempt=2&compare=1`, 'bodies differ'],
          ['signature', `${W}/deliveries/${ids.delivery}`, 'Response', checkSignature],
          ['set-up', EMPTY, 'Start a receiver'],
          ['no-deliveries', `${EMPTY}/deliveries`, 'No deliveries yet'],
          ['no-endpoints', `${EMPTY}/webhooks`, 'No endpoints yet'],
          ['no-events', `${EMPTY}/events`, 'No events yet'],
          ['no-profiles', `${EMPTY}/profiles`, 'No profiles yet'],
          ['no-requests', `${W}/requests?path=/v1/none`, 'No requests'],
          ['no-match', `${W}/deliveries?status=disabled`, 'No delivery matches'],
          ['rejected', `${W}/deliveries?status=lost`, 'Cannot show this list'],
          ['outage', W, 'Needs attention', loseServer],
          ['unknown', `${W}/deliveries/whd_none`, 'does not exist'],
        ] as const)
      : []),
  ];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
cleanup.defer(() => browser.close());
for (const width of values.all ? [1280, 360] : [1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: width > 720 ? 800 : 780 },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    for (const [name, path, ready, act] of SCREENS) {
      await page.goto(`${server.url}/dashboard/${path}`);
      await page.getByText(ready).filter({ visible: true }).first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await act?.(page);
      // A link to an anchor moves the focus to a whole section. Remove the focus, so that the picture shows no outline.
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const file = values.all ? `${name}-${width}-${colorScheme}.png` : `${name}-${colorScheme}.png`;
      await page.screenshot({ path: join(folder, file) });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    await context.close();
  }
}

if (!values.all) await takeSocialCard(browser);
