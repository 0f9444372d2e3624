import { once } from 'node:events';
import { createServer } from 'node:http';
import { patience, type ServerProcess, startProcess } from '@svc/testing';
import { expect, test } from 'vitest';

/** Attempts write more lines than a pipe and the server keep for a reader that stalls: 2.5 MB. */
const ATTEMPTS = 10_000;

/** A receiver that accepts everything. */
async function startReceiver() {
  const server = createServer((_request, response) => void response.writeHead(204).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Makes so many attempts, each of which writes a line to the log. Every call must succeed. */
async function makeAttempts({ ready }: ServerProcess, receiverUrl: string, attempts: number): Promise<void> {
  const { credential, workspaceId } = ready.credentials.find(({ kind }) => kind === 'api_key') ?? {};
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
  const post = async (url: string, body: unknown) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: patience() });
    expect(response.ok).toBe(true);
    return await response.json();
  };
  await post(`${ready.url}/v1/webhooks/endpoints`, { url: receiverUrl, subscribedEvents: ['*'] });
  const events = Array.from({ length: attempts }, () => ({ workspaceId, type: 'lifecycle.evaluated' }));
  await post(`${ready.controlUrl}/events`, { events });
  expect(await post(`${ready.controlUrl}/settle`, {})).toMatchObject({ settled: true, pending: 0 });
}

const linesOf = (server: ServerProcess) =>
  server
    .stderr()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { msg: string; dropped?: number });

test('a server works while the reader of its log stalls, and then says how many lines it dropped', async () => {
  using receiver = await startReceiver();
  await using server = await startProcess(['--memory']);
  server.log.pause();
  await makeAttempts(server, receiver.url, ATTEMPTS);
  server.log.resume();
  await server.said('"dropped"');
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });

  const lines = linesOf(server);
  const dropped = lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
  expect(dropped).toBeGreaterThan(0);
  // A busy server also writes lines of other kinds, and they may be among the dropped ones.
  expect(lines.length + dropped).toBeGreaterThanOrEqual(ATTEMPTS);
});

test('a reader of the log that stalls does not keep a server from stopping', async () => {
  using receiver = await startReceiver();
  await using server = await startProcess(['--memory']);
  server.log.pause();
  await makeAttempts(server, receiver.url, ATTEMPTS);
  // Only the end of the process makes the test read again.
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a server works and stops when its log cannot be written, because a disk is full', async () => {
  using receiver = await startReceiver();
  const start = 'exec node mock-server/dist/main.js start "$@" 2> /dev/full';
  await using server = await startProcess(['--memory'], ['bash', '-c', start, 'bash']);
  await makeAttempts(server, receiver.url, 100);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a server works and stops when the reader of its log is gone', async () => {
  using receiver = await startReceiver();
  await using server = await startProcess(['--memory']);
  server.log.destroy();
  await makeAttempts(server, receiver.url, 100);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a server that stops has written its whole log for a reader that keeps up', async () => {
  using receiver = await startReceiver();
  await using server = await startProcess(['--memory']);
  await makeAttempts(server, receiver.url, 2_000);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const lines = linesOf(server);
  expect(lines.filter(({ msg }) => msg === 'attempt made')).toHaveLength(2_000);
  expect(lines.filter(({ dropped }) => dropped !== undefined)).toEqual([]);
});
