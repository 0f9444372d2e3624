import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebhooks, type WebhooksOptions } from '@svc/webhooks';
import { createNodeHandler } from '@svc/webhooks/node';
import { generateSecret, sendFixture } from '@svc/webhooks/testing';
import { describe, expect, it, vi } from 'vitest';
import { EVALUATED, NOW_MS, SECRET, signedMessage } from './support/message.ts';

const { headers } = signedMessage({ body: EVALUATED });
/** A delivery as a server recorded it, with the headers of its connection. */
const fixture = {
  url: 'https://receiver.example.com/webhooks?a=b',
  headers: {
    ...headers,
    Host: 'receiver.example.com',
    'Content-Length': '5',
    connection: 'close',
    traceparent: '00-ab',
  },
  body: EVALUATED,
};

function receiver(options: Partial<WebhooksOptions> = {}) {
  const webhooks = createWebhooks({ secrets: SECRET, onReject() {}, ...options });
  const handler = vi.fn();
  webhooks.on('lifecycle.evaluated', handler);
  return { webhooks, handler };
}

describe('sendFixture', () => {
  it('sends a delivery as it was recorded', async () => {
    const { webhooks, handler } = receiver({ now: NOW_MS });
    expect((await sendFixture(fixture, webhooks.fetch)).status).toBe(200);
    expect(handler.mock.calls[0]?.[1]).toMatchObject({ id: 'whd_1', headers: { traceparent: '00-ab' } });
    // It is as old as its recording.
    const response = await sendFixture(fixture, receiver().webhooks.fetch);
    expect(await response.json()).toMatchObject({ code: 'timestamp_too_old' });
  });

  it('signs it again with a secret, with the same id and body', async () => {
    const secret = generateSecret();
    const { webhooks, handler } = receiver({ secrets: secret });
    expect((await sendFixture(fixture, webhooks.fetch, { secret })).status).toBe(200);
    expect(handler.mock.calls[0]?.[1]).toMatchObject({
      id: 'whd_1',
      body: EVALUATED,
      headers: { traceparent: '00-ab' },
    });
    expect((await sendFixture(fixture, webhooks.fetch, { secret: generateSecret() })).status).toBe(401);
  });

  it('reads it from a file, and posts it to a URL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-fixture-'));
    const file = join(folder, 'whd_1.json');
    writeFileSync(file, JSON.stringify(fixture));
    const { webhooks, handler } = receiver({ now: NOW_MS });
    const server = createServer(createNodeHandler(webhooks)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await sendFixture(file, `http://127.0.0.1:${port}/webhooks`)).status).toBe(200);
    expect((await sendFixture({ ...fixture, body: '{}' }, new URL(`http://127.0.0.1:${port}/`))).status).toBe(401);
    server.closeAllConnections();
    server.close();
    expect(handler).toHaveBeenCalledOnce();
    await rm(folder, { recursive: true });
    await expect(sendFixture(file, webhooks.fetch)).rejects.toThrow(/ENOENT/);
  });

  it.each([{}, { url: 'x', headers: {}, body: { id: 'evt_1' } }, { headers: {}, body: '' }, null])(
    'throws for %j, which is not a fixture',
    async (other) => {
      await expect(sendFixture(other as never, receiver().webhooks.fetch)).rejects.toThrow(
        /must be \{ url, headers, body \}/,
      );
    },
  );
});
