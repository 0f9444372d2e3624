import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createConnections } from '../../src/delivery/sending/connections.ts';
import { createNetworkSender } from '../../src/delivery/sending/send-over-network.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { attempted } from '../support/delivery/attempted.ts';
import { startRawReceiver } from '../support/delivery/hostile.ts';

const BODY = 'b'.repeat(60_000);
const RESPONSE = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

/**
 * Sends attempts that all get a large response, after all requests have arrived. Returns the workspaces in the order in
 * which their attempts end. On the clock of this test, each piece of a response takes a millisecond to read.
 */
async function orderOfEnds(workspaces: readonly string[]): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  cleanup.defer(() => clock.mockRestore());
  const connections = createConnections(createAddressRules({ allowLoopback: true, allowNetworks: [] }), 10_000);
  cleanup.defer(() => connections.destroy());
  const asking: Socket[] = [];
  const receiver = cleanup.use(await startRawReceiver((socket) => void asking.push(socket)));
  const send = createNetworkSender(connections, 10_000, () => 0);
  const order: string[] = [];
  const attempts: Promise<void>[] = [];
  for (const workspaceId of workspaces) {
    const attempt = send({ url: receiver.url, headers: {}, body: '{}' }, { ...attempted, workspaceId });
    attempts.push(
      attempt.then((exchange) => {
        expect(exchange).toMatchObject({ response: { status: 200, body: BODY } });
        order.push(workspaceId);
      }),
    );
    await vi.waitFor(() => expect(asking).toHaveLength(attempts.length), { interval: 1 });
  }
  for (const socket of asking) socket.write(RESPONSE);
  await Promise.all(attempts);
  return order;
}

test('The responses of one workspace hardly delay the response of another workspace', async () => {
  const busy = Array.from({ length: 20 }, () => 'busy');
  expect((await orderOfEnds([...busy, 'other'])).indexOf('other')).toBeLessThan(3);
});
