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
import { verifyWebhook } from '@svc/webhooks';
import { describe, expect, test } from 'vitest';
import { createCertificate } from '../../../../mock-server/test/delivery/support/certificates.ts';
import { spawnInTerminal, spawnSvcMock, svcMock } from '../../src/svc-mock.ts';
import { useService } from './support/service.ts';

const cli = useService();

/** A `listen` that is ready, and the lines that it writes. */
async function listen(...argv: string[]) {
  const child: ChildProcess = spawnSvcMock(cli.service.url, ['listen', '--json', ...argv], {
    env: { SVC_API_KEY: cli.tenant.apiKey },
  });
  if (!child.stdout) throw new TypeError('The output of the process is piped.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what it is.
  const next = async (): Promise<any> => JSON.parse(String((await lines.next()).value));
  const ended = once(child, 'close').then(([code]) => code as number | null);
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

const endpoints = async () =>
  JSON.parse(
    (await svcMock(cli.service.url, ['endpoints', 'list', '--json'], { env: { SVC_API_KEY: cli.tenant.apiKey } }))
      .stdout,
  );
const trigger = () => cli.service.trigger('lifecycle.evaluated', { workspaceId: cli.tenant.workspaceId });

describe('svc-mock listen', () => {
  test('forwards each delivery byte for byte with its signature, shows it, and returns the answer', async () => {
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
      answer: 'teapot',
    });
    const [request] = target.requests;
    expect(
      verifyWebhook({ headers: request?.headers ?? {}, body: request?.body ?? '', secrets: started.secret }).event,
    ).toEqual(event);
    await cli.service.waitForIdle();
    const { attempts } = await cli.service.control.listAttempts({ deliveryId: String(deliveries[0]?.id) });
    expect(attempts).toMatchObject([{ response: { status: 418, body: 'teapot', headers: { 'x-mine': 'yes' } } }]);
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

  test.each(['SIGINT', 'SIGTERM'] as const)('deletes its endpoint after %s, and ends with 0', async (name) => {
    await using listening = await listen('--forward-to', 'http://127.0.0.1:9/');
    expect(await endpoints()).toMatchObject([{ id: listening.started.endpointId }]);
    listening.kill(name);
    expect(await listening.ended).toBe(0);
    expect(await endpoints()).toEqual([]);
  });

  test('shows each delivery in a terminal, and deletes its endpoint after Ctrl+C', async () => {
    const target = await cli.service.receiver();
    const child = spawnInTerminal(cli.service.url, ['listen', '--forward-to', target.url], 100, {
      env: { SVC_API_KEY: cli.tenant.apiKey },
    });
    if (!child.stdout) throw new TypeError('The output of the process is piped.');
    let screen = '';
    const sees = async (text: RegExp) => {
      while (!text.test(screen))
        screen += stripVTControlCharacters(String(await once(child.stdout as Readable, 'data')));
    };
    await sees(/whsec_/);
    expect(await endpoints()).toHaveLength(1);
    await trigger();
    await sees(/lifecycle\.evaluated.*2\d\d/);
    child.stdin?.write('\x03');
    expect(await once(child, 'close')).toEqual([0, null]);
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
    await svcMock(cli.service.url, ['endpoints', 'delete', id], { env: { SVC_API_KEY: cli.tenant.apiKey } });
    expect(await ended).toEqual([1, null]);
    expect(stderr).toBe(
      `svc-mock: ${id} is gone: somebody deleted it, or reset the server. Run svc-mock listen again.\n`,
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

  test('answers 502 if the target does not answer, and shows why', async () => {
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
    expect((await listening.next()).answer).toBe(`\u001b[2Jboom ${'x'.repeat(70)}…`);
    await trigger();
    expect(await listening.next()).not.toHaveProperty('answer');
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
    [['listen'], "required option '--forward-to <url>' not specified"],
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
