import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createClient } from '@svc/client';
import { type Receiver, startMockService } from '@svc/mock-server/testing';
import { describe, expect, test } from 'vitest';
import { spawnSvcMock, svcMock } from '../../src/svc-mock.ts';
import { useService } from './support/service.ts';

const cli = useService();
const env = () => ({ SVC_API_KEY: cli.tenant.apiKey });

/** A receiver of the tenant's events. */
async function subscribe(): Promise<Receiver> {
  const receiver = await cli.service.receiver();
  await svcMock(cli.service.url, ['endpoints', 'create', receiver.url], { env: env() });
  return receiver;
}

/** A `tail` that waits for deliveries, and its lines. */
const tail = (...argv: string[]) => tailOf(cli.service.url, cli.tenant.apiKey, ...argv);

async function tailOf(url: string, apiKey: string, ...argv: string[]) {
  const child = spawnSvcMock(url, ['deliveries', 'tail', ...argv], { env: { SVC_API_KEY: apiKey } });
  if (!child.stdout || !child.stderr) throw new TypeError('The output of the process is piped.');
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  // With --json, no message for a person says that it waits.
  if (!argv.includes('--json')) await once(child.stderr, 'data');
  return {
    next: async () => {
      const { done, value } = await lines.next();
      if (done) throw new Error(`The tail ended: ${said}`);
      return value;
    },
    stop: async () => {
      child.kill('SIGINT');
      return await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const event = () => ({ type: 'lifecycle.evaluated', workspaceId: cli.tenant.workspaceId });
const trigger = async (times = 1) => {
  const { events } = await cli.service.control.createEvents({ events: Array.from({ length: times }, event) });
  return events.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
};

describe('svc-mock deliveries tail', () => {
  test('shows deliveries as they arrive and change, until Ctrl+C', async () => {
    await subscribe();
    await using tailing = await tail();
    const [id] = await trigger();
    let line = '';
    while (!line.includes('success')) line = await tailing.next();
    expect(line).toMatch(new RegExp(`^${id} {2}lifecycle\\.evaluated {2}success {2}attempt 1 {2}HTTP 204 in \\d+ ms$`));
    expect(await tailing.stop()).toEqual([0, null]);
  });

  test('shows each of many deliveries, and the end of one that is older than several pages of others', async () => {
    const receiver = await subscribe();
    receiver.respond({ status: 500 }, { status: 204 });
    const [old = ''] = await trigger();
    await cli.service.waitForIdle();
    const before = await trigger(250);
    await cli.service.waitForIdle();
    await using tailing = await tail();
    await cli.service.clock.advance('5m');
    const left = new Set([old, ...(await trigger(250))]);
    while (left.size > 0) {
      const [id = '', _type, status, attempt] = (await tailing.next()).split('  ');
      expect(before).not.toContain(id);
      if (status !== 'success') continue;
      expect(attempt).toBe(id === old ? 'attempt 2' : 'attempt 1');
      expect(left.delete(id)).toBe(true);
    }
  });

  test('is not affected by API faults', async () => {
    await subscribe();
    await using tailing = await tail('--status', 'success');
    await cli.service.faults.add({ target: 'api', effect: { status: 503 } });
    const [id] = await trigger();
    expect(await tailing.next()).toContain(`${id}  lifecycle.evaluated  success`);
    await cli.service.faults.clear();
  });

  test('uses one request of the rate limit, no matter how long it runs', async () => {
    await using limited = await startMockService({ rateLimit: true });
    const { apiKey, workspaceId } = await limited.workspace();
    const svc = createClient({ apiKey, baseUrl: limited.url });
    const remaining = async () => (await svc.me.retrieve().withResponse()).rateLimit?.remaining ?? Number.NaN;
    const receiver = await limited.receiver();
    await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
    const before = await remaining();
    await using tailing = await tailOf(limited.url, apiKey, '--status', 'success');
    for (let count = 0; count < 3; count++) {
      const { deliveries } = await limited.trigger('lifecycle.evaluated', { workspaceId });
      expect(await tailing.next()).toContain(`${deliveries[0]?.id}`);
    }
    expect(before - (await remaining())).toBe(2);
  });

  test('--since shows earlier deliveries first, and --status shows only those with that status', async () => {
    const receiver = await subscribe();
    receiver.respond({ status: 204 }, { status: 410 });
    const [first] = await trigger();
    await cli.service.waitForIdle();
    const [second] = await trigger();
    await cli.service.waitForIdle();
    await using tailing = await tail('--since', '1h', '--json');
    const seen = [JSON.parse(await tailing.next()), JSON.parse(await tailing.next())];
    expect(seen).toMatchObject([
      { id: first, status: 'success' },
      { id: second, status: 'pending' },
    ]);
    await using successes = await tail('--since', '1h', '--status', 'success', '--json');
    receiver.respond({ status: 204 });
    const [third] = await trigger();
    expect([JSON.parse(await successes.next()).id, JSON.parse(await successes.next()).id]).toEqual([first, third]);
  });
});
