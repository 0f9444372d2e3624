import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type EmailOutcome, startMailer } from '../../../src/notifications/mailer.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { notifyDevelopers } from '../../../src/storage/statements/notifications.ts';
import { addEndpoint, addMember, createWorld } from '../../support/delivery/world.ts';

/** A mail server that keeps sending data, but never becomes ready on the first `slow` connections. */
async function startSlowMailServer(slow = Number.POSITIVE_INFINITY) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    if (sockets.size > slow) return receiveMail(socket);
    // One line of a greeting that never ends.
    const timer = setInterval(() => socket.write('220-wait\r\n'), 5);
    socket.on('error', () => {}).on('close', () => clearInterval(timer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Accepts every email. */
function receiveMail(socket: Socket): void {
  let isContent = false;
  socket.write('220 ready\r\n');
  socket
    .on('error', () => {})
    .on('data', (data) => {
      const text = data.toString();
      if (isContent && !text.endsWith('\r\n.\r\n')) return;
      isContent = /^DATA/i.test(text);
      socket.write(isContent ? '354 send it\r\n' : '250 ok\r\n');
    });
}

test('an attempt to send an email ends before its lease, and the next attempt uses new connections', async () => {
  await using mail = await startSlowMailServer(10);
  const world = await createWorld();
  await using storage = world.storage;
  const { id: endpointId } = await addEndpoint(world, 'http://127.0.0.1:9/');
  // As many emails as the mailer has connections.
  for (let member = 0; member < 10; member++) await addMember(world, 'Admin');
  const notice = { workspaceId: world.workspaceId, endpointId, type: 'webhook.endpoint.auto_disabled' };
  await storage.write((queries) =>
    notifyDevelopers(queries, world.ids, { ...notice, createdAt: world.clock.now(), sendsEmails: true }),
  );
  const outcomes: EmailOutcome[] = [];
  await using mailer = await startMailer({
    storage,
    clock: world.clock,
    logger: createLogger('silent'),
    smtp: { url: `smtp://127.0.0.1:${mail.port}`, from: 'svc@example.test' },
    publicUrl: () => 'http://127.0.0.1:4010',
    onOutcome: (outcome) => outcomes.push(outcome),
    // Long enough for ten emails at once on a busy machine.
    attemptMaxMs: 2_000,
  });
  await vi.waitFor(() => expect(outcomes).toEqual(Array(10).fill('retry')));
  outcomes.length = 0;
  const dueAt = world.clock.now() + 5 * 60_000;
  const rows = await storage.read((queries) => queries.selectFrom('notification_emails').selectAll().execute());
  expect(rows).toHaveLength(10);
  for (const row of rows) expect(row).toMatchObject({ attempt: 1, lease_until: null, due_at: dueAt });

  world.clock.restore({ frozenAt: dueAt });
  mailer.wake();
  await vi.waitFor(() => expect(outcomes).toEqual(Array(10).fill('sent')));
});
