import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, type ServerProcess, startProcess } from '@svc/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'svc-acceptance-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** A receiver that responds when the test says so. */
async function startReceiver() {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => asked.resolve(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    /** Resolves when a delivery arrives. */
    asked: asked.promise,
    answer: async () => void (await asked.promise).writeHead(204).end(),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The calls that the tests make to a server. */
function callsTo({ ready }: Pick<ServerProcess, 'ready'>) {
  const key = ready.credentials.find(({ kind }) => kind === 'api_key');
  const headers = { authorization: `Bearer ${key?.credential}`, 'content-type': 'application/json' };
  const post = async (url: string, body: unknown) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return (await response.json()) as { deliveries: { id: string }[] };
  };
  return {
    /** Causes a delivery to the receiver. @returns its id. */
    async deliver(receiverUrl: string): Promise<string | undefined> {
      await post(`${ready.url}/v1/webhooks/endpoints`, { url: receiverUrl, subscribedEvents: ['*'] });
      const event = { workspaceId: key?.workspaceId, type: 'lifecycle.evaluated' };
      return (await post(`${ready.controlUrl}/events`, event)).deliveries[0]?.id;
    },
    async find(id: string | undefined) {
      const response = await fetch(`${ready.url}/v1/webhooks/deliveries/${id}`, { headers });
      const { delivery } = (await response.json()) as { delivery: { status: string; attempt: number } };
      return { status: delivery.status, attempt: delivery.attempt };
    },
  };
}

/** The state of a delivery that a new server finds in the data of the previous one. */
async function findAfterwards(id: string | undefined) {
  await using server = await startProcess(['--data', data, '--roles', 'api']);
  return await callsTo(server).find(id);
}

const NPM_START = ['npm', 'start', '--silent', '--'];
const STOPPING = 'Stopping: finishing 1 delivery in flight (at most 10 s).';

describe('A server that gets a signal twice finishes and stores the delivery in flight, and ends with exit 0:', () => {
  test('Ctrl+C in a terminal under npm start, which npm and the server both get, and which npm passes on', async () => {
    using receiver = await startReceiver();
    await using server = await startProcess(['--data', data], NPM_START, { group: true });
    const id = await callsTo(server).deliver(receiver.url);
    await receiver.asked;
    server.kill('SIGINT');
    await server.said(`${STOPPING} Press Ctrl+C again to stop immediately.`);
    // The server refuses requests from the first signal on. A response shows that it is still there.
    expect((await fetch(`${server.ready.url}/health/live`)).status).toBe(503);
    await receiver.answer();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await server.said('attempt made');
    expect(await findAfterwards(id)).toEqual({ status: 'success', attempt: 1 });
  });

  test('SIGTERM to the process group of npm start', async () => {
    using receiver = await startReceiver();
    await using server = await startProcess(['--data', data], NPM_START, { group: true });
    const id = await callsTo(server).deliver(receiver.url);
    await receiver.asked;
    server.kill('SIGTERM');
    await server.said(`${STOPPING} Send SIGTERM again to stop immediately.`);
    await receiver.answer();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await findAfterwards(id)).toEqual({ status: 'success', attempt: 1 });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s, sent again as soon as the server says that it stops',
    async (signal) => {
      using receiver = await startReceiver();
      await using server = await startProcess(['--data', data]);
      const id = await callsTo(server).deliver(receiver.url);
      await receiver.asked;
      server.kill(signal);
      await server.said(STOPPING);
      server.kill(signal);
      await receiver.answer();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(await findAfterwards(id)).toEqual({ status: 'success', attempt: 1 });
    },
  );
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s again after a second ends the server at once with exit %i, and keeps the delivery for the next start',
  async (signal, code) => {
    using receiver = await startReceiver();
    await using server = await startProcess(['--data', data]);
    const id = await callsTo(server).deliver(receiver.url);
    await receiver.asked;
    // Nothing answers the delivery, so only a signal ends the server before its 10 s are over.
    const startedAt = performance.now();
    const pressing = setInterval(() => server.kill(signal), 50);
    const end = await server.ended.finally(() => clearInterval(pressing));
    const tookMs = performance.now() - startedAt;
    expect(end).toEqual({ code, signal: null });
    expect(tookMs).toBeGreaterThan(1_000);
    expect(await findAfterwards(id)).toEqual({ status: 'pending', attempt: 0 });
  },
);

test('in a terminal, the server prints that it stops to standard output', async () => {
  using child: ChildProcess & Disposable = spawn('node', ['mock-server/dist/main.js', '--memory', '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    if (!text.includes('Stop with Ctrl+C.') && `${text}${chunk}`.includes('Stop with Ctrl+C.')) child.kill('SIGINT');
    text += chunk;
  }
  expect(await ended).toEqual([0, null]);
  expect(text).toMatch(/\n {2}Stopping\. Press Ctrl\+C again to stop immediately\.\n$/);
});
