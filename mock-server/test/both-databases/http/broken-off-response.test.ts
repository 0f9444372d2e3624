import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { startRawReceiver } from '../../support/delivery/hostile.ts';
import { addEndpoint, cause, deliveryOf, settle } from '../../support/http/deliveries.ts';

describe('A response that breaks off', () => {
  test('fails the attempt, and keeps its status, its headers and what came of its body', async () => {
    await using api = await startApi();
    await using receiver = await startRawReceiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nx-kept: yes\r\ncontent-length: 9\r\n\r\nhalf'),
    );
    await addEndpoint(api, receiver.url);
    const { deliveries } = await cause(api);
    await settle(api);
    expect(await deliveryOf(api, deliveries[0].id)).toMatchObject({
      status: 'pending',
      error: 'Connection reset',
      deliveredAt: null,
      responseStatus: 200,
      responseHeaders: { 'x-kept': 'yes', 'content-length': '9' },
      responseBody: 'half',
    });
  });

  test('before its head is complete has no status', async () => {
    await using api = await startApi();
    await using receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nx-kept: y'));
    await addEndpoint(api, receiver.url);
    const { deliveries } = await cause(api);
    await settle(api);
    expect(await deliveryOf(api, deliveries[0].id)).toMatchObject({
      status: 'pending',
      responseStatus: null,
      responseHeaders: null,
      responseBody: null,
    });
  });
});
