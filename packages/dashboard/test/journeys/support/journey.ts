import { join } from 'node:path';
import type * as MockServer from '@svc/mock-server';
import type { Server, ServerConfig } from '@svc/mock-server';
import { PATIENCE_MS } from '@svc/testing';
import { startBrowser } from '@svc/testing/browser';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject } from 'vitest';

/** The built-in demo seed. */
export const demo = {
  production: { id: 'wsp_01DEM00000000000000PR0D000', key: 'svc_sk_test_demo_acme_production' },
  staging: { id: 'wsp_01DEM0000000000000STAG1NG0', key: 'svc_sk_test_demo_acme_staging' },
} as const;

/** A server and a browser. Disposing of it fails if a page had a console error or sent a request to another origin. */
export interface Journey extends AsyncDisposable {
  /** The first node. The page is opened on it. */
  server: Server;
  /** The last node. With one node, it is `server`. */
  otherNode: Server;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** The problems of all pages. */
  problems: string[];
  /** Expects matching problems, before and after this call. The journey fails only for others. */
  allow(problem: RegExp): void;
  /** Calls the last node, like a customer. With a personal access token, it names the workspace. */
  // biome-ignore lint/suspicious/noExplicitAny: journeys read what they assert.
  call<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    credential?: string,
    workspaceId?: string,
  ): Promise<{ status: number; body: Body }>;
  /** Opens a path below `/dashboard/`, on the first node unless another is given. */
  open(path: string, page?: Page, node?: Server): Promise<void>;
  /** Opens another page that is watched too. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

export interface JourneyOptions {
  server?: Partial<ServerConfig>;
  /** How many nodes share the database. */
  nodes?: number;
  /** Host name in the page's address. */
  host?: string;
  context?: BrowserContextOptions;
}

export async function startJourney({
  server: options,
  nodes = 1,
  host,
  context: contextOptions,
}: JourneyOptions = {}): Promise<Journey> {
  await using cleanup = new AsyncDisposableStack();
  const { startServer } = (await import(join(inject('packedServer'), 'dist/index.js'))) as typeof MockServer;
  const start = async () => cleanup.use(await startServer({ port: 0, dataDir: null, logLevel: 'silent', ...options }));
  const server = await start();
  let otherNode = server;
  for (let node = 1; node < nodes; node++) otherNode = await start();
  const browser = await startBrowser();
  cleanup.defer(() => browser.close());
  const baseOf = ({ url }: Server) => (host ? url.replace('127.0.0.1', host) : url);
  const base = baseOf(server);
  const origins = [server, otherNode].map((node) => new URL(baseOf(node)).origin);
  const problems: string[] = [];
  const allowed: RegExp[] = [];
  const newContext = async (extra: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      timezoneId: 'Europe/Berlin',
      ...contextOptions,
      ...extra,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    // Under another name, browsers have no clipboard.
    if (host === undefined || host === 'localhost') {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    }
    await reportViolations(context);
    context.on('page', (page) => watch(page, origins, problems));
    return context;
  };
  const context = await newContext();
  const page = await context.newPage();
  const owned = cleanup.move();
  return {
    server,
    otherNode,
    browser,
    context,
    page,
    problems,
    allow: (problem) => void allowed.push(problem),
    async call(method, path, body, credential = credentialFor(path, server, options), workspaceId?) {
      const response = await fetch(new URL(path, otherNode.url), {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(workspaceId !== undefined && { 'service-workspace-id': workspaceId }),
          ...(method !== 'GET' && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
    },
    async open(path, on = page, node = server) {
      await on.goto(`${baseOf(node)}/dashboard/${path}`);
    },
    newPage: async (extra) => await (extra ? await newContext(extra) : context).newPage(),
    async [Symbol.asyncDispose]() {
      // A page that polls may be waiting for a response that its test changes.
      const pages = browser.contexts().flatMap((one) => one.pages());
      await Promise.all(pages.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
      await owned.disposeAsync();
      expect(problems.filter((problem) => !allowed.some((one) => one.test(problem)))).toEqual([]);
    },
  };
}

/** The control API needs the admin token, if the server has one. A server that others can reach generates its keys. */
function credentialFor(path: string, server: Server, { adminToken }: Partial<ServerConfig> = {}): string {
  if (path.startsWith('/_control') && adminToken !== undefined) return adminToken;
  const generated = server.credentials.find(
    ({ kind, workspaceId }) => kind === 'api_key' && workspaceId === demo.production.id,
  );
  return generated?.credential ?? demo.production.key;
}

/** Signs in on a page that asks for the admin token. */
export async function signIn(page: Page, adminToken: string): Promise<void> {
  await page.getByLabel('Admin token').fill(adminToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Writes violations of a page's Content-Security-Policy to its console.
 * A script that catches the error of a violation leaves no line there.
 */
export const reportViolations = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error(`violates ${violatedDirective}: ${blockedURI} ${sourceFile}`),
    ),
  );

/** Records problems of a page: console errors, violations of its Content-Security-Policy, and requests to other origins. */
export function watch(page: Page, origins: readonly string[], problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && !origins.includes(origin)) {
      problems.push(`request to another origin: ${request.url()}`);
    }
  });
}

/** Registers an endpoint in Production. */
export async function addEndpoint(
  { call }: Pick<Journey, 'call'>,
  url: string,
  subscribedEvents = ['lifecycle.*'],
): Promise<{ id: string; secret: string }> {
  const { body } = await call('POST', '/v1/webhooks/endpoints', { url, subscribedEvents });
  return { id: body.endpoint.id, secret: body.secret.secret };
}

/** Triggers events in Production. @returns the ids of the first one's deliveries. */
export async function cause(
  { call }: Pick<Journey, 'call'>,
  count = 1,
  type = 'lifecycle.evaluated',
): Promise<string[]> {
  const event = { workspaceId: demo.production.id, type };
  const { body } = await call('POST', '/_control/events', { events: Array.from({ length: count }, () => event) });
  return body.events[0].deliveries.map(({ id }: { id: string }) => id);
}

/** Waits until nothing is due. */
export const settle = ({ call }: Pick<Journey, 'call'>) => call('POST', '/_control/settle', {});
