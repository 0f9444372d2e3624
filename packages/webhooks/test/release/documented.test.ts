import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { generateSecret, signWebhook } from '@svc/webhooks/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isInstalled } from '../../../../tools/installed.ts';

const secret = generateSecret();
const documented = join(import.meta.dirname, '../documented');

beforeAll(() => void vi.stubEnv('WEBHOOK_SECRET', secret));
afterAll(() => void vi.unstubAllEnvs());

const signed = (key = secret) => signWebhook({ secrets: key, event: 'lifecycle.evaluated' });
const requestOf = ({ headers, body }: ReturnType<typeof signed>) =>
  new Request('http://receiver.test/webhooks', { method: 'POST', headers: { ...headers }, body });

/** The guides show these programs. Each runs unchanged, on a separate port. */
// `npm run tools` installs Koa.
describe.each(['node', 'express', 'fastify', ...(isInstalled() ? ['koa'] : [])])('The program for %s', (name) => {
  it('accepts what the service signs, and refuses anything else', async () => {
    await using cleanup = new AsyncDisposableStack();
    const port = await freePort();
    // Put the copy beside the original, so that its imports resolve.
    const file = join(documented, `.running-${name}-${port}.ts`);
    writeFileSync(file, readFileSync(join(documented, `${name}.ts`), 'utf8').replaceAll('3000', String(port)));
    cleanup.defer(() => rmSync(file));
    const child = spawn(process.execPath, [file], { stdio: 'ignore' });
    cleanup.defer(() => void child.kill('SIGKILL'));
    const post = async (key = secret) => {
      const { headers, body } = signed(key);
      return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers: { ...headers }, body }))
        .status;
    };
    await vi.waitFor(async () => expect(await post()).toBe(200));
    expect(await post(generateSecret())).toBe(401);
  });
});

describe.each([
  ['Hono', async () => (await import('../documented/hono.ts')).app.fetch],
  ['Next, app', async () => (await import('../documented/next.ts')).POST],
  [
    'Workers',
    async () => {
      const { default: worker } = await import('../documented/workers.ts');
      return (request: Request) => worker.fetch(request, { WEBHOOK_SECRET: secret });
    },
  ],
] as const)('The program for %s', (_name, load) => {
  it('accepts what the service signs, and refuses anything else', async () => {
    const receive = await load();
    expect((await receive(requestOf(signed()))).status).toBe(200);
    expect((await receive(requestOf(signed(generateSecret())))).status).toBe(401);
  });
});

it('The program for Next, pages, accepts what the service signs, and refuses anything else', async () => {
  const { default: handler } = await import('../documented/next-pages.ts');
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const statuses = [];
  for (const { headers, body } of [signed(), signed(generateSecret())]) {
    statuses.push((await fetch(url, { method: 'POST', headers: { ...headers }, body })).status);
  }
  server.closeAllConnections();
  server.close();
  expect(statuses).toEqual([200, 401]);
});

it('The program for Lambda accepts what the service signs, and refuses anything else', async () => {
  const { handler } = await import('../documented/lambda.ts');
  const statuses = [];
  for (const { headers, body } of [signed(), signed(generateSecret())]) {
    const { statusCode } = await handler({
      requestContext: { http: { method: 'POST' } },
      headers: { ...headers },
      body,
      isBase64Encoded: false,
    });
    statuses.push(statusCode);
  }
  expect(statuses).toEqual([200, 401]);
});
