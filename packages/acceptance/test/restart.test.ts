import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@svc/testing';
import { createWebhooks, type Delivery } from '@svc/webhooks';
import { expect, test } from 'vitest';

test('a server killed with SIGKILL between an accepted event and its delivery delivers it after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'svc-acceptance-'));
  let secret = '';
  let hanging = true;
  const asked = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<Delivery>();
  // At first, the receiver does not respond, so that the server dies with the attempt in flight.
  const receiver = createServer(async (request, response) => {
    if (hanging) return asked.resolve();
    delivered.resolve(await createWebhooks({ secrets: secret }).verifyRequest(request));
    response.writeHead(204).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as { port: number };

  try {
    const first = await startProcess(['--data', data]);
    const key = first.ready.credentials.find(({ kind }) => kind === 'api_key');
    const headers = { authorization: `Bearer ${key?.credential}`, 'content-type': 'application/json' };
    const created = await fetch(`${first.ready.url}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, subscribedEvents: ['*'] }),
    });
    secret = ((await created.json()) as { secret: { secret: string } }).secret.secret;
    const accepted = await fetch(`${first.ready.controlUrl}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ workspaceId: key?.workspaceId, type: 'lifecycle.evaluated' }),
    });
    const { event, deliveries } = (await accepted.json()) as { event: { id: string }; deliveries: { id: string }[] };
    await asked.promise;
    expect(await first.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    receiver.closeAllConnections();
    hanging = false;

    await using second = await startProcess(['--data', data]);
    const delivery = await delivered.promise;
    expect(delivery.id).toBe(deliveries[0]?.id);
    expect(delivery.event.id).toBe(event.id);
    await fetch(`${second.ready.controlUrl}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    const shown = await fetch(`${second.ready.url}/v1/webhooks/deliveries/${delivery.id}`, { headers });
    expect(await shown.json()).toMatchObject({ delivery: { status: 'success', attempt: 1 } });
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    rmSync(data, { recursive: true, force: true });
  }
});
