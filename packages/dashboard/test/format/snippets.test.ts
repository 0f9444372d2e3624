import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '@svc/mock-server';
import { startShell } from '@svc/testing';
import { expect, test, vi } from 'vitest';
import * as snippets from '../../src/format/snippets.ts';

const workspaceId = 'wsp_01DEM00000000000000PR0D000';
const key = 'svc_sk_test_demo_acme_production';
const token = 'svc_pat_test_demo_acme_owner';
const ADMIN = 'let-me-in-51d0-and-many-more-letters';
/** In this folder, `npx` and `import` find the built packages by name. */
const root = join(import.meta.dirname, '../../../..');

const shell = async (text: string) =>
  (await promisify(execFile)('sh', ['-c', text], { cwd: root, env: { ...process.env, SVC_ADMIN_TOKEN: ADMIN } }))
    .stdout;

async function program(text: string): Promise<string> {
  using folder = mkdtempDisposableSync(join(root, 'node_modules/.svc-snippet-'));
  const path = join(folder.path, 'snippet.mjs');
  writeFileSync(path, text);
  return (await promisify(execFile)(process.execPath, [path])).stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server and functions to call it. */
async function start(adminToken?: string) {
  const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent', ...(adminToken && { adminToken }) });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${path.startsWith('/_control') && adminToken ? adminToken : key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const place = { baseUrl: server.url, workspaceId, hasAdminToken: adminToken !== undefined };
  return { server, call, place, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Runs each snippet as it is shown, and checks its effect. */
const runs: Record<string, (started: Started) => Promise<void>> = {
  async curlSnippet({ server }) {
    const { workspace } = JSON.parse(await shell(snippets.curlSnippet({ baseUrl: server.url, credential: key })));
    expect(workspace.id).toBe(workspaceId);
  },
  async keySdkSnippet({ server, call }) {
    await call('POST', '/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', subscribedEvents: ['*'] });
    await call('POST', '/_control/events', { workspaceId, type: 'lifecycle.evaluated' });
    const out = await program(snippets.keySdkSnippet({ baseUrl: server.url, credential: key }));
    expect(out).toMatch(/^lifecycle\.evaluated \w+$/m);
  },
  async tokenSdkSnippet({ server }) {
    const out = await program(snippets.tokenSdkSnippet({ baseUrl: server.url, credential: token }));
    expect(out).toContain(`${workspaceId} Production`);
  },
  async triggerSnippet({ place }) {
    const { event } = JSON.parse(await shell(snippets.triggerSnippet(place)));
    expect(event.type).toBe('lifecycle.evaluated');
  },
  async svcMockSnippet({ call, place }) {
    await shell(snippets.svcMockSnippet(place));
    const { data } = await call('GET', '/v1/events');
    expect(data).toMatchObject([{ type: 'lifecycle.evaluated', subject: { id: workspaceId } }]);
  },
  async listenSnippet({ server, call }) {
    const text = snippets.listenSnippet({ baseUrl: server.url, credential: key });
    await using _listening = await startShell(text, root);
    const { data } = await vi.waitUntil(
      async () => {
        const list = await call('GET', '/v1/webhooks/endpoints');
        return list.data.length > 0 && list;
      },
      { timeout: 60_000 },
    );
    const { ping } = await call('POST', `/v1/webhooks/endpoints/${data[0].id}/send-test-event`);
    await call('GET', `/_control/wait?deliveryId=${ping.deliveryId}&status=success`);
  },
  async pingSnippet({ server, call }) {
    const url = 'http://127.0.0.1:9/hook';
    await call('POST', '/v1/webhooks/endpoints', { url, subscribedEvents: ['*'] });
    const out = await program(snippets.pingSnippet({ baseUrl: server.url, credential: key }));
    expect(out).toMatch(new RegExp(`^pinged ${url} whd_\\w+$`, 'm'));
  },
  async profilesSnippet({ call, place }) {
    await shell(snippets.profilesSnippet(place));
    const { data } = await call('GET', `/_control/workspaces/${workspaceId}/profiles?q=u2`);
    expect(data).toContainEqual(
      expect.objectContaining({ externalId: 'u2', activeDays: ['2026-01-05', '2026-01-06'] }),
    );
  },
  async metricsSnippet({ server }) {
    expect(await shell(snippets.metricsSnippet(server.url))).toContain('svc_');
  },
  async receiverSnippet(started) {
    await receive(started);
  },
  async startSnippet(started) {
    await receive(started);
  },
};

/** Saves the receiver, starts it with its secret, and pings it. */
async function receive({ call }: Started): Promise<void> {
  const port = await freePort();
  const { endpoint, secret } = await call('POST', '/v1/webhooks/endpoints', {
    url: `http://127.0.0.1:${port}/webhooks`,
    subscribedEvents: ['*'],
  });
  using folder = mkdtempDisposableSync(join(root, 'node_modules/.svc-snippet-'));
  writeFileSync(join(folder.path, 'receiver.mjs'), snippets.receiverSnippet(port));
  const command = snippets.startSnippet(secret.secret).replace('node ', `${process.execPath} `);
  await using _receiver = await startShell(command, folder.path);
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBeGreaterThanOrEqual(400);
  await call('POST', `/v1/webhooks/endpoints/${endpoint.id}/send-test-event`);
  const { data } = await call('GET', '/v1/webhooks/deliveries?limit=1');
  await call('GET', `/_control/wait?deliveryId=${data[0].id}&status=success`);
}

test('each snippet is run below', () => {
  const shown = Object.entries(snippets).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  expect(Object.keys(runs).sort()).toEqual(shown.sort());
});

test.each(Object.entries(runs))('%s works as it is shown', async (_name, run) => {
  await using started = await start();
  await run(started);
});

test.each(['triggerSnippet', 'svcMockSnippet', 'profilesSnippet', 'metricsSnippet'])(
  '%s sends the admin token from the environment',
  async (name) => {
    await using started = await start(ADMIN);
    await runs[name]?.(started);
  },
);

test('a server with an admin token refuses commands without it', async () => {
  await using started = await start(ADMIN);
  const out = await shell(snippets.triggerSnippet({ ...started.place, hasAdminToken: false }));
  expect(JSON.parse(out)).toMatchObject({ error: { code: expect.any(String) } });
});
