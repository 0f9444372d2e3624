import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { startServer } from '@svc/mock-server';
import { createCertificate } from '@svc/testing';
import { verifyWebhook } from '@svc/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { spawnInTerminal, spawnSvcMock, svcMock } from '../../src/svc-mock.ts';
import { useService } from './support/service.ts';

const cli = useService();
const ADMIN = 'the-right-admin-token-of-the-server';

/** A `listen` that is ready, and the lines that it writes. */
async function listen(...argv: string[]) {
  const child: ChildProcess = spawnSvcMock(cli.service.url, ['listen', '--json', ...argv], {
    env: { SVC_API_KEY: cli.tenant.apiKey },
  });
  const { stdout } = child;
  if (!stdout) throw new TypeError('The output of the process is piped.');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what it is.
  const next = async (): Promise<any> => JSON.parse(String((await lines.next()).value));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    started: await next(),
    next,
    ended,
    kill: (name: NodeJS.Signals) => child.kill(name),
    stopReading: () => stdout.destroy(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A command in a terminal, which is killed at the end of a test that fails before. */
function startInTerminal(...argv: string[]) {
  const child = spawnInTerminal(cli.service.url, argv, 120, { env: { SVC_API_KEY: cli.tenant.apiKey } });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new TypeError('The streams of the process are piped.');
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let screen = '';
  stdout.on('data', (chunk) => {
    screen += stripVTControlCharacters(String(chunk));
  });
  return {
    ended,
    types: (text: string) => stdin.write(text),
    sees: (text: RegExp) => vi.waitFor(() => expect(screen).toMatch(text)),
    isRegistered: async () => expect(await endpoints()).toHaveLength(1),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const endpoints = async () =>
  JSON.parse(
    (await svcMock(cli.service.url, ['endpoints', 'list', '--json'], { env: { SVC_API_KEY: cli.tenant.apiKey } }))
      .stdout,
  );
const trigger = () => cli.service.trigger('lifecycle.evaluated', { workspaceId: cli.tenant.workspaceId });

describe('svc-mock listen', () => {
  test('forwards each delivery byte for byte with its signature, shows it, and returns the response', async () => {
    const target = await cli.service.receiver({ path: '/my/hook' });
    target.respond({ status: 418, body: 'teapot', headers: { 'x-mine': 'yes' } });
    await using listening = await listen('--forward-to', target.url);
    const { started } = listening;
    expect(started).toMatchObject({ listening: true, forwardTo: target.url, secret: expect.stringMatching(/^whsec_/) });
    const { event, deliveries } = await trigger();
    expect(await listening.next()).toMatchObject({
      deliveryId: deliveries[0]?.id,
      eventType: 'lifecycle.evaluated',
      status: 418,
      error: null,
      body: 'teapot',
    });
    const [request] = target.requests;
    expect(
      verifyWebhook({ headers: request?.headers ?? {}, body: request?.body ?? '', secrets: started.secret }).event,
    ).toEqual(event);
    await cli.service.waitForIdle();
    const { attempts } = await cli.service.control.listAttempts({ deliveryId: String(deliveries[0]?.id) });
    expect(attempts).toMatchObject([{ response: { status: 418, body: 'teapot', headers: { 'x-mine': 'yes' } } }]);
  });

  test.each([
    [[], 200, 'success'],
    [['--respond', '503'], 503, 'pending'],
  ] as const)('responds by itself without a target: %j', async (argv, status, ends) => {
    await using listening = await listen(...argv);
    expect(listening.started).toMatchObject({ respond: [status], secret: expect.stringMatching(/^whsec_/) });
    const { deliveries } = await trigger();
    const [delivery] = deliveries;
    expect(await listening.next()).toMatchObject({ deliveryId: delivery?.id, status, error: null });
    await cli.service.waitForIdle();
    const { explanation } = await cli.service.control.explainDelivery({ deliveryId: String(delivery?.id) });
    expect(explanation.status).toBe(ends);
  });

  test('responds with several statuses in turn, and repeats the last one', async () => {
    await using listening = await listen('--respond', '503,429,200');
    const seen: number[] = [];
    for (let count = 0; count < 4; count++) {
      await trigger();
      seen.push((await listening.next()).status);
    }
    expect(seen).toEqual([503, 429, 200, 200]);
  });

  test('forwards nothing that a web page could send to its port', async () => {
    const target = await cli.service.receiver();
    await using _listening = await listen('--forward-to', target.url);
    const [endpoint] = await endpoints();
    for (const url of [new URL('/', endpoint.url), new URL('/hook', endpoint.url)]) {
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404);
    }
    expect((await fetch(endpoint.url)).status).toBe(404);
    expect(target.requests).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'deletes its endpoint after %s, and ends with 0',
    async (name) => {
      await using listening = await listen('--forward-to', 'http://127.0.0.1:9/');
      expect(await endpoints()).toMatchObject([{ id: listening.started.endpointId }]);
      listening.kill(name);
      expect(await listening.ended).toBe(0);
      expect(await endpoints()).toEqual([]);
    },
  );

  test('deletes its endpoint if the program that reads its output stops', async () => {
    await using listening = await listen();
    listening.stopReading();
    await trigger();
    expect(await listening.ended).toBe(0);
    expect(await endpoints()).toEqual([]);
  });

  test('shows each delivery in a terminal, and deletes its endpoint after Ctrl+C', async () => {
    const target = await cli.service.receiver();
    await using terminal = startInTerminal('listen', '--forward-to', target.url);
    await terminal.sees(/whsec_/);
    await terminal.isRegistered();
    await trigger();
    await terminal.sees(/lifecycle\.evaluated.*2\d\d/);
    terminal.types('\x03');
    expect(await terminal.ended).toBe(0);
    expect(await endpoints()).toEqual([]);
  });

  test('ends if its endpoint is deleted', async () => {
    const child = spawnSvcMock(cli.service.url, ['listen', '--forward-to', 'http://127.0.0.1:9/'], {
      env: { SVC_API_KEY: cli.tenant.apiKey },
    });
    const ended = once(child, 'close');
    let stderr = '';
    child.stderr?.on('data', (text) => {
      stderr += text;
    });
    await once(child.stdout as Readable, 'data');
    const [{ id }] = await endpoints();
    await svcMock(cli.service.url, ['endpoints', 'delete', id, '--yes'], { env: { SVC_API_KEY: cli.tenant.apiKey } });
    expect(await ended).toEqual([1, null]);
    expect(stderr).toBe(
      `svc-mock: The endpoint ${id} was deleted, or the server was reset. Run svc-mock listen again.\n`,
    );
  });

  test('removes only the endpoint that a killed one left', async () => {
    const receiver = await cli.service.receiver();
    const mine = await svcMock(cli.service.url, ['endpoints', 'create', receiver.url, '--json'], {
      env: { SVC_API_KEY: cli.tenant.apiKey },
    });
    const { id } = JSON.parse(mine.stdout).endpoint;
    const killed = await listen('--forward-to', 'http://127.0.0.1:9/');
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await endpoints()).toHaveLength(2);
    await using first = await listen('--forward-to', 'http://127.0.0.1:9/');
    await using second = await listen('--forward-to', 'http://127.0.0.1:9/');
    const left = (await endpoints()).map((one: { id: string }) => one.id);
    expect(left.toSorted()).toEqual([id, first.started.endpointId, second.started.endpointId].toSorted());
  });

  test('responds with 502 if the target does not respond, and shows why', async () => {
    await using listening = await listen('--forward-to', 'http://127.0.0.1:9/');
    await trigger();
    expect(await listening.next()).toMatchObject({ status: 502, error: expect.any(String) });
  });

  test.each([[[]], [['--skip-verify-tls']]])(
    'forwards to a server with a self-signed certificate only if told to: %j',
    async (flags) => {
      const day = 86_400_000;
      const certificate = createCertificate({
        name: 'localhost',
        notBefore: new Date(Date.now() - day),
        notAfter: new Date(Date.now() + day),
      });
      await using target = createServer(certificate, (request, response) => {
        request.resume();
        response.writeHead(202).end();
      }).listen(0, '127.0.0.1');
      await once(target, 'listening');
      const url = `https://localhost:${(target.address() as AddressInfo).port}/hook`;
      await using listening = await listen('--forward-to', url, ...flags);
      await trigger();
      expect(await listening.next()).toMatchObject(
        flags.length > 0
          ? { status: 202, error: null }
          : { status: 502, error: expect.stringMatching(/^self-signed certificate.* pass --skip-verify-tls$/) },
      );
      target.closeAllConnections();
    },
  );

  test('shows the first line of a failure, shortened', async () => {
    const target = await cli.service.receiver();
    target.respond({ status: 500, body: `\u001b[2Jboom ${'x'.repeat(100)}\nmore` }, { status: 200, body: 'fine' });
    await using listening = await listen('--forward-to', target.url);
    await trigger();
    expect((await listening.next()).body).toBe(`\u001b[2Jboom ${'x'.repeat(70)}…`);
    await trigger();
    expect(await listening.next()).not.toHaveProperty('body');
  });

  test('has the same secret in every run, which --print-secret prints', async () => {
    const secrets = new Set<string>();
    for (let run = 0; run < 2; run++) {
      await using listening = await listen();
      secrets.add(listening.started.secret);
    }
    const { status, stdout } = await cli.run('listen', '--print-secret');
    expect([status, [...secrets]]).toEqual([0, [stdout.trim()]]);
    expect(JSON.parse((await cli.run('listen', '--print-secret', '--json')).stdout)).toEqual({ secret: stdout.trim() });
  });

  test('signs with the secret that --print-secret prints, and with no other', async () => {
    const target = await cli.service.receiver();
    const { stdout } = await cli.run('listen', '--print-secret');
    await using _listening = await listen('--forward-to', target.url);
    const { event } = await trigger();
    const { headers, body } = await target.next();
    expect(verifyWebhook({ headers, body, secrets: stdout.trim() }).event).toEqual(event);
    expect(headers['webhook-signature']).not.toContain(' ');
  });

  test('has a different secret in another workspace', async () => {
    const other = await cli.service.workspace();
    const argv = ['listen', '--print-secret'];
    const { stdout } = await svcMock(cli.service.url, argv, { env: { SVC_API_KEY: other.apiKey } });
    expect(stdout).toMatch(/^whsec_\S+\n$/);
    expect(stdout).not.toBe((await cli.run(...argv)).stdout);
  });

  test('has a new secret if the control API is closed, and says so', async () => {
    await using guarded = await startServer({ port: 0, dataDir: null, adminToken: ADMIN, logLevel: 'silent' });
    const key = 'svc_sk_test_demo_acme_production';
    const run = spawnSvcMock(guarded.url, ['listen'], { env: { SVC_API_KEY: key } });
    let said = '';
    run.stderr?.on('data', (text) => {
      said += text;
    });
    await once(run.stdout as Readable, 'data');
    run.kill('SIGTERM');
    expect(await once(run, 'close')).toEqual([0, null]);
    expect(said).toContain('Each run gets a new secret');
    expect(await svcMock(guarded.url, ['listen', '--print-secret'], { env: { SVC_API_KEY: key } })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--admin-token'),
    });
  });

  test('writes the secret to a file with mode 0600, and does not print it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-listen-'));
    const file = join(folder, 'secret');
    // An existing file does not stay readable for others.
    writeFileSync(file, 'old');
    chmodSync(file, 0o644);
    try {
      await using listening = await listen('--forward-to', 'http://127.0.0.1:9/', '--secret-file', file);
      expect(listening.started).not.toHaveProperty('secret');
      expect(readFileSync(file, 'utf8')).toMatch(/^whsec_\S+\n$/);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('does not write the secret through a symbolic link, and leaves no endpoint', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-listen-'));
    const [file, link] = [join(folder, 'other'), join(folder, 'secret')];
    writeFileSync(file, 'old');
    chmodSync(file, 0o644);
    symlinkSync(file, link);
    try {
      const argv = ['listen', '--forward-to', 'http://127.0.0.1:9/', '--secret-file', link];
      const { status, stderr } = await svcMock(cli.service.url, argv, { env: { SVC_API_KEY: cli.tenant.apiKey } });
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${link} is a symbolic link`)]);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['old', 0o644]);
      expect(await endpoints()).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('forwards to a port, or to a host with a port', async () => {
    const target = await cli.service.receiver({ path: '/hook' });
    const { port } = new URL(target.url);
    for (const [given, forwardTo] of [
      [port, `http://localhost:${port}/`],
      [`127.0.0.1:${port}/hook`, target.url],
    ] as const) {
      await using listening = await listen('--forward-to', given);
      expect(listening.started.forwardTo).toBe(forwardTo);
      await trigger();
      expect(await listening.next()).toMatchObject({ error: null });
    }
    expect(target.requests).toHaveLength(2);
  });

  test('subscribes to the named events', async () => {
    await using _listening = await listen(
      '--forward-to',
      'http://127.0.0.1:9/',
      '--events',
      'lifecycle.*,webhook.ping',
    );
    expect(await endpoints()).toMatchObject([{ subscribedEvents: ['lifecycle.*', 'webhook.ping'] }]);
  });

  test.each([
    [['listen', '--respond', '600'], '--respond'],
    [['listen', '--respond', '503,'], 'a status between 200 and 599'],
    [['listen', '--forward-to', ''], '--forward-to must be an http or https URL'],
    [['listen', '--skip-verify-tls'], '--skip-verify-tls requires --forward-to'],
    [['listen', '--print-secret', '--forward-to', '3000'], 'cannot be used with'],
    [['listen', '--respond', '503', '--forward-to', '3000'], 'cannot be used with'],
    [['listen', '--forward-to', 'http://me:password@x/'], '--forward-to must not contain a user name or a password'],
    [['listen', '--forward-to', 'localhost'], '--forward-to must be an http or https URL'],
    [['listen', '--forward-to', 'ftp://localhost:3000'], '--forward-to must be an http or https URL'],
    [
      ['listen', '--forward-to', 'http://x/', '--secret-file', '/nowhere/secret'],
      'Cannot write the secret to /nowhere/secret',
    ],
    [['listen', '--forward-to', 'http://x/', '--events', 'no.such'], 'no.such'],
  ])('%j is used incorrectly, and leaves no endpoint', async (argv, says) => {
    const { status, stderr } = await svcMock(cli.service.url, argv, { env: { SVC_API_KEY: cli.tenant.apiKey } });
    expect(status).toBe(2);
    expect(stderr).toContain(says);
    expect(await endpoints()).toEqual([]);
  });
});
