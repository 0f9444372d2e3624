import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@svc/client';
import { verifyWebhook } from '@svc/webhooks';
import { describe, expect, test } from 'vitest';
import { spawnSvcMock, svcMock } from '../../src/svc-mock.ts';
import { useService } from './support/service.ts';

const cli = useService();

/** A `listen --live` that is ready, and the lines that it writes. */
async function live(...argv: string[]) {
  const child = spawnSvcMock(cli.service.url, ['listen', '--live', '--json', ...argv], {
    env: { SVC_API_KEY: cli.tenant.apiKey, SVC_ADMIN_TOKEN: 'of no use' },
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
      { deliveryId: ids[0], status: 500, answer: 'not yet', signedAnew: false },
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
    [[], { SVC_API_KEY: 'svc_sk_test_x' }, 'Say what to do with each delivery'],
    [['--forward-to', '3000', '--respond', '200'], { SVC_API_KEY: 'svc_sk_test_x' }, 'cannot be used with'],
    [['--forward-to', '3000'], { SVC_API_KEY: 'svc_sk_test_wrong' }, 'UNAUTHENTICATED'],
  ])('with %j and %j is used incorrectly', async (argv, env, says) => {
    const { status, stdout, stderr } = await svcMock(cli.service.url, ['listen', '--live', ...argv], { env });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  test.each([
    ['--secret', 'whsec_x'],
    ['--save', 'x'],
  ])('%s is refused without --live', async (...argv) => {
    const { status, stderr } = await cli.run('listen', ...argv);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Add --live')]);
  });
});
