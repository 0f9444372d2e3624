import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type EmailOutcome, startMailer } from '../../../src/notifications/mailer.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { notifyDevelopers } from '../../../src/storage/statements/notifications.ts';
import { addEndpoint, addMember, createWorld } from '../../support/delivery/world.ts';

/** A mail server that keeps sending data, but never becomes ready. */
async function startSlowMailServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
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

test('an attempt to send an email ends before its lease, even if the mail server responds slowly', async () => {
  await using mail = await startSlowMailServer();
  const world = await createWorld();
  await using storage = world.storage;
  const { id: endpointId } = await addEndpoint(world, 'http://127.0.0.1:9/');
  await addMember(world, 'Admin');
  const notice = { workspaceId: world.workspaceId, endpointId, type: 'webhook.endpoint.auto_disabled' };
  await storage.write((queries) =>
    notifyDevelopers(queries, world.ids, { ...notice, createdAt: world.clock.now(), sendsEmails: true }),
  );
  const outcomes: EmailOutcome[] = [];
  await using _mailer = await startMailer({
    storage,
    clock: world.clock,
    logger: createLogger('silent'),
    smtp: { url: `smtp://127.0.0.1:${mail.port}`, from: 'svc@example.test' },
    publicUrl: () => 'http://127.0.0.1:4010',
    onOutcome: (outcome) => outcomes.push(outcome),
    attemptMaxMs: 100,
  });
  await vi.waitFor(() => expect(outcomes).toEqual(['retry']));
  const row = await storage.read((queries) =>
    queries.selectFrom('notification_emails').selectAll().executeTakeFirstOrThrow(),
  );
  expect(row).toMatchObject({ attempt: 1, lease_until: null, due_at: world.clock.now() + 5 * 60_000 });
});
