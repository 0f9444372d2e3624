import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@svc/client';
import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import { generateSecret, signWebhook } from '@svc/webhooks/testing';
import { describe, expect, test, vi } from 'vitest';
import { spawnSvcMock, svcMock } from '../../src/svc-mock.ts';
import { useService } from './support/service.ts';

const cli = useService();

/** A `listen --live` that is ready, and the lines that it writes. */
const live = (...argv: string[]) => liveAt(cli.service.url, ...argv);

/** Like `live`, but for a service at another address. */
async function liveAt(url: string, ...argv: string[]) {
  const child = spawnSvcMock(url, ['listen', '--live', '--json', ...argv], {
    env: { SVC_API_KEY: cli.tenant.apiKey, SVC_ADMIN_TOKEN: 'of-no-use' },
  });
  if (!child.stdout) throw new TypeError('The output of the process is piped.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close').then(([code]) => code as number | null);
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what it is.
  const next = async (): Promise<any> => JSON.parse(String((await lines.next()).value));
  return {
    started: await next(),
    next,
    ended,
    kill: (name: NodeJS.Signals) => child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The endpoint of the real service, which stands for a receiver on the internet. */
async function realEndpoint() {
  const receiver = await cli.service.receiver();
  const svc = createClient({ apiKey: cli.tenant.apiKey, baseUrl: cli.service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  return { svc, receiver, secret: secret.secret };
}

/**
 * The service as after ten minutes without a network: each delivery says that it was sent ten minutes ago, with the signature
 * of then.
 */
async function tenMinutesLate(secret: string) {
  const server = createServer(async ({ url = '', headers: { authorization = '' } }, outgoing) => {
    const response = await fetch(cli.service.url + url, { headers: { authorization } });
    const received = await response.json();
    const { id, requestHeaders, requestBody } = received.delivery ?? {};
    if (requestHeaders) {
      const timestamp = Number(requestHeaders['webhook-timestamp']) - 600;
      const signed = signWebhook({ secrets: secret, id, timestamp, body: JSON.stringify(requestBody) });
      Object.assign(requestHeaders, signed.headers);
    }
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(JSON.stringify(received));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const trigger = () => cli.service.trigger('lifecycle.evaluated', { workspaceId: cli.tenant.workspaceId });

describe('svc-mock listen --live', () => {
  test('forwards each new delivery as it was sent, with its signature, and no older one', async () => {
    const { svc, receiver, secret } = await realEndpoint();
    await trigger();
    await cli.service.waitForIdle();
    const mine = await cli.service.receiver({ path: '/mine' });
    mine.respond({ status: 500, body: 'not yet' }, { status: 202 });
    await using listening = await live('--forward-to', mine.url);
    expect(listening.started).toEqual({ listening: true, live: cli.service.url, forwardTo: mine.url });
    const triggered = [await trigger(), await trigger()];
    const ids = triggered.map(({ deliveries }) => String(deliveries[0]?.id));
    const shown = [await listening.next(), await listening.next()];
    expect(shown).toMatchObject([
      { deliveryId: ids[0], status: 500, body: 'not yet', signedAnew: false },
      { deliveryId: ids[1], status: 202, signedAnew: false },
    ]);
    const sent = receiver.requests.slice(-2);
    for (const [index, { headers, body }] of mine.requests.entries()) {
      expect(body).toBe(sent[index]?.body);
      expect(headers['webhook-signature']).toBe(sent[index]?.headers['webhook-signature']);
      expect(verifyWebhook({ headers, body, secrets: secret }).event).toEqual(triggered[index]?.event);
    }
    // It registers nothing.
    expect((await svc.webhooks.endpoints.list()).data).toHaveLength(1);
    listening.kill('SIGTERM');
    expect(await listening.ended).toBe(0);
  });

  test('forwards a delivery once, not each of its attempts', async () => {
    const { receiver } = await realEndpoint();
    receiver.respond({ status: 503 }, { status: 204 });
    const mine = await cli.service.receiver();
    await using listening = await live('--forward-to', mine.url);
    const { deliveries } = await trigger();
    expect(await listening.next()).toMatchObject({ deliveryId: deliveries[0]?.id, status: 204 });
    await cli.service.clock.advance('5m');
    await cli.service.waitForDelivery({ deliveryId: String(deliveries[0]?.id), status: 'success' });
    const second = await trigger();
    expect(await listening.next()).toMatchObject({ deliveryId: second.deliveries[0]?.id });
    expect(mine.requests).toHaveLength(2);
  });

  test('signs a delivery that is older than five minutes anew with --secret', async () => {
    const { secret } = await realEndpoint();
    await using late = await tenMinutesLate(secret);
    const mine = await cli.service.receiver();
    const own = generateSecret();
    await using listening = await liveAt(late.url, '--forward-to', mine.url, '--secret', own);
    const { event, deliveries } = await trigger();
    expect(await listening.next()).toMatchObject({ deliveryId: deliveries[0]?.id, status: 204, signedAnew: true });
    const { headers, body } = mine.requests[0] ?? {};
    const verified = verifyWebhook({ headers: headers ?? {}, body: body ?? '', secrets: own });
    expect([verified.id, verified.event]).toEqual([deliveries[0]?.id, event]);
    expect(headers?.['user-agent']).toMatch(/^Workspace-Lifecycle-Service/);
  });

  test('without --secret, forwards it as it was sent', async () => {
    const { secret } = await realEndpoint();
    await using late = await tenMinutesLate(secret);
    const mine = await cli.service.receiver();
    mine.forward(createWebhooks({ secrets: secret, onReject() {} }).fetch);
    await using listening = await liveAt(late.url, '--forward-to', mine.url);
    const { deliveries } = await trigger();
    const shown = await listening.next();
    expect(shown).toMatchObject({ deliveryId: deliveries[0]?.id, status: 401, signedAnew: false });
    expect(shown.body).toContain('timestamp_too_old');
  });

  test('without --secret, tells people why the signature fails', async () => {
    const { secret } = await realEndpoint();
    await using late = await tenMinutesLate(secret);
    const argv = ['listen', '--live', '--forward-to', (await cli.service.receiver()).url];
    const child = spawnSvcMock(late.url, argv, { env: { SVC_API_KEY: cli.tenant.apiKey } });
    using _ended = { [Symbol.dispose]: () => void child.kill('SIGKILL') };
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(String(chunk)));
    await vi.waitFor(() => expect(printed.join('')).toContain('Following'));
    await trigger();
    await vi.waitFor(() => expect(printed.join('')).toContain('is older than five minutes, so its signature fails.'));
    expect(printed.join('')).toContain('To sign the delivery again, pass --secret.');
  });

  test('signs no younger delivery anew', async () => {
    const { secret } = await realEndpoint();
    const mine = await cli.service.receiver();
    await using listening = await live('--forward-to', mine.url, '--secret', generateSecret());
    await trigger();
    expect(await listening.next()).toMatchObject({ status: 204, signedAnew: false });
    const { headers, body } = mine.requests[0] ?? {};
    expect(verifyWebhook({ headers: headers ?? {}, body: body ?? '', secrets: secret }).known).toBe(true);
  });

  test('with --endpoint, forwards only the deliveries to that endpoint', async () => {
    const { svc, receiver } = await realEndpoint();
    const other = await realEndpoint();
    const mine = await cli.service.receiver();
    const { data } = await svc.webhooks.endpoints.list();
    const id = String(data.find(({ url }) => url === other.receiver.url)?.id);
    await using listening = await live('--forward-to', mine.url, '--endpoint', id);
    for (const _ of [1, 2]) {
      await trigger();
      await listening.next();
    }
    expect(mine.requests).toHaveLength(2);
    expect(receiver.requests).toHaveLength(2);
    for (const { headers, body } of mine.requests)
      expect(verifyWebhook({ headers, body, secrets: other.secret }).known).toBe(true);
  });

  test('saves each delivery as a file that only its owner can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-live-'));
    try {
      const { receiver, secret } = await realEndpoint();
      const save = join(folder, 'fixtures');
      await using listening = await live('--save', save);
      const { event, deliveries } = await trigger();
      const id = String(deliveries[0]?.id);
      const file = join(save, `${id}.json`);
      expect(await listening.next()).toEqual({ deliveryId: id, eventType: 'lifecycle.evaluated', saved: file });
      expect(readdirSync(save)).toEqual([`${id}.json`]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const fixture = JSON.parse(readFileSync(file, 'utf8'));
      expect(Object.keys(fixture)).toEqual(['url', 'headers', 'body']);
      expect([fixture.url, fixture.body]).toEqual([receiver.url, receiver.requests[0]?.body]);
      const { headers, body } = fixture;
      expect(verifyWebhook({ headers, body, secrets: secret }).event).toEqual(event);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    [['--forward-to', '3000'], {}, '--live requires your own credential'],
    [[], { SVC_API_KEY: 'svc_sk_test_x' }, 'Choose what to do with each delivery'],
    [['--forward-to', '3000', '--respond', '200'], { SVC_API_KEY: 'svc_sk_test_x' }, 'cannot be used with'],
    [['--forward-to', '3000'], { SVC_API_KEY: 'svc_sk_test_wrong' }, 'UNAUTHENTICATED'],
    [
      ['--forward-to', '3000', '--secret', 'whsec_short'],
      { SVC_API_KEY: 'svc_sk_test_x' },
      '--secret is invalid. Copy it whole, from whsec_ on, without quotes.',
    ],
    [['--forward-to', '3000', '--endpoint', 'whd_1'], { SVC_API_KEY: 'svc_sk_test_x' }, 'must begin with whe_'],
  ])('with %j and %j is used incorrectly', async (argv, env, says) => {
    const { status, stdout, stderr } = await svcMock(cli.service.url, ['listen', '--live', ...argv], { env });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  test('with an endpoint that does not exist, fails at once', async () => {
    const { status, stderr } = await cli.run('listen', '--live', '--forward-to', '3000', '--endpoint', 'whe_nope');
    expect([status, stderr]).toEqual([2, expect.stringContaining('(NOT_FOUND)')]);
  });

  test('warns about several endpoints without --endpoint, and not about one', async () => {
    for (const says of ['', /^There are 2 endpoints with different secrets. Choose one with --endpoint whe_\w+$/]) {
      await realEndpoint();
      const child = spawnSvcMock(cli.service.url, ['listen', '--live', '--forward-to', '3000'], {
        env: { SVC_API_KEY: cli.tenant.apiKey },
      });
      let notes = '';
      child.stderr?.on('data', (piece) => (notes += piece));
      await once(child.stdout ?? child, 'data');
      child.kill('SIGTERM');
      await once(child, 'close');
      expect(notes.trim()).toEqual(says && expect.stringMatching(says));
    }
  });

  test('says how to name a service that cannot be reached, and does not advise to start a server', async () => {
    const env = { SVC_API_KEY: 'svc_sk_test_x' };
    const { status, stderr } = await svcMock('http://127.0.0.1:1', ['listen', '--live', '--save', 'x'], { env });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^svc-mock: Cannot reach http:\/\/127\.0\.0\.1:1 \(.+\)\. Check --server\.\n$/);
  });

  test.each([
    ['--endpoint', 'whe_x'],
    ['--secret', 'whsec_x'],
    ['--save', 'x'],
  ])('%s is refused without --live', async (...argv) => {
    const { status, stderr } = await cli.run('listen', ...argv);
    expect([status, stderr]).toEqual([2, expect.stringContaining('require --live')]);
  });
});
