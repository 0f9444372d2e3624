import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Answers `/v1/me`, asks to wait at `/v1/events`, and never answers anything else. */
let server: Server;

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/v1/me') response.end('{}');
    if (url === '/v1/events') response.writeHead(429, { 'retry-after': '60' }).end('{}');
  });
  // The server keeps an idle connection open for this long.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Runs a program in a separate process, where `make` creates a client. @returns what it prints. */
async function run(program: string): Promise<unknown> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createClient } from '@svc/client';
      const make = (more) => createClient({ apiKey: 'svc_sk_1', baseUrl: '${baseUrl}', ...more });
      const nameOf = (error) => error.name;
      // What keeps this process alive, but for its own output.
      const active = () => process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY)Wrap$/.test(name));
      const connected = async () => {
        while (!active().includes('TCPSocketWrap')) await new Promise(setImmediate);
        return active();
      };
      const settled = async () => {
        for (let look = 0; active().length && look < 200; look++) await new Promise(setImmediate);
        return active();
      };
      ${program}`,
    ],
    { cwd: import.meta.dirname, timeout: PATIENCE_MS },
  );
  return JSON.parse(stdout);
}

const connections = () => promisify(server.getConnections.bind(server))();

describe('the end of `await using`', () => {
  it('leaves no timers or sockets of calls that were running, waiting or finished', async () => {
    const outcome = await run(`
      let calls;
      let during;
      {
        await using svc = make();
        await svc.me.retrieve();
        await svc.events.list({}, { maxRetries: 0 }).catch(nameOf);
        // Held by the 429.
        calls = [svc.me.retrieve().catch(nameOf), svc.workspaces.retrieve('wsp_1').catch(nameOf)];
        // Another client, because nothing holds this one.
        await using other = make();
        calls.push(other.workspaces.retrieve('wsp_1').catch(nameOf), other.search({ q: 'a' }).catch(nameOf));
        during = await connected();
      }
      const names = await Promise.all(calls);
      console.log(JSON.stringify({ during, names, after: await settled() }));`);
    expect(outcome).toMatchObject({ names: Array(4).fill('AbortedError'), after: [] });
    // While the calls were running, the same check did find timers and sockets.
    expect((outcome as { during: string[] }).during).toEqual(expect.arrayContaining(['TCPSocketWrap', 'Timeout']));
    await expect.poll(connections).toBe(0);
  });

  it('is necessary: without it, a running call keeps its timer and its socket', async () => {
    const outcome = await run(`
      const call = make({ timeoutMs: 2000, maxRetries: 0 }).workspaces.retrieve('wsp_1').catch(nameOf);
      const during = await connected();
      console.log(JSON.stringify({ during, name: await call }));`);
    expect(outcome).toMatchObject({ name: 'TimeoutError', during: expect.arrayContaining(['TCPSocketWrap']) });
  });

  it('ends the connection of a running call while the process continues', async () => {
    const { createClient } = await import('@svc/client');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let call: Promise<unknown>;
    {
      await using svc = createClient({ apiKey: 'svc_sk_1', baseUrl });
      call = svc.workspaces.retrieve('wsp_1').catch(({ name }) => name);
      await expect.poll(connections).toBe(1);
    }
    expect(await call).toBe('AbortedError');
    await expect.poll(connections).toBe(0);
  });
});
