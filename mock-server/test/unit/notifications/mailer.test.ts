import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type EmailOutcome, startMailer } from '../../../src/notifications/mailer.ts';
import { createLogger, type Logger } from '../../../src/runtime/logger.ts';
import { notifyDevelopers } from '../../../src/storage/changes/notifications.ts';
import { type Storage, StorageUnavailableError } from '../../../src/storage/port.ts';
import { addEndpoint, addMember, createWorld, type World } from '../../support/delivery/world.ts';
import { startMailServer } from '../../support/http/mail.ts';

/** A mail server that never finishes its greeting, or its reply to the first command, on the first `slow` connections. */
async function startSlowMailServer(unfinished: 'greeting' | 'reply', slow: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    if (sockets.size > slow) return receiveMail(socket);
    if (unfinished === 'greeting') return sendForever(socket, '220-wait\r\n');
    socket.write('220 ready\r\n');
    socket.once('data', () => sendForever(socket, '250-wait\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** For each connection so far, whether it is still open. */
    areOpen: () => [...sockets].map((socket) => !socket.destroyed),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendForever(socket: Socket, line: string): void {
  const timer = setInterval(() => socket.write(line), 5);
  socket.on('error', () => {}).on('close', () => clearInterval(timer));
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

/** Stores this number of due emails, each to another user. */
async function storeEmails(world: World, count: number): Promise<void> {
  const { storage, workspaceId, ids, clock } = world;
  const { id: endpointId } = await addEndpoint(world, 'http://127.0.0.1:9/');
  for (let member = 0; member < count; member++) await addMember(world, 'Admin');
  const notice = { workspaceId, endpointId, type: 'webhook.endpoint.auto_disabled', createdAt: clock.now() };
  await storage.write((queries) => notifyDevelopers(queries, ids, { ...notice, sendsEmails: true }));
}

/** Starts a mailer that adds the outcome of each attempt to `outcomes`. */
async function startOn(
  { storage, clock }: Pick<World, 'storage' | 'clock'>,
  port: number,
  {
    outcomes,
    attemptMaxMs,
    login = '',
    logger = createLogger('silent'),
  }: { outcomes: EmailOutcome[]; attemptMaxMs?: number; login?: string; logger?: Logger },
) {
  return await startMailer({
    storage,
    clock,
    logger,
    smtp: { url: `smtp://${login}127.0.0.1:${port}`, from: 'svc@example.test' },
    publicUrl: () => 'http://127.0.0.1:4010',
    onOutcome: (outcome) => outcomes.push(outcome),
    ...(attemptMaxMs !== undefined && { attemptMaxMs }),
  });
}

test.for(['greeting', 'reply'] as const)(
  'an attempt to send an email closes its connection before its lease ends, and the next attempt uses a new connection: unfinished %s',
  async (unfinished) => {
    await using mail = await startSlowMailServer(unfinished, 10);
    const world = await createWorld();
    await using storage = world.storage;
    // As many emails as the mailer has connections.
    await storeEmails(world, 10);
    const outcomes: EmailOutcome[] = [];
    // The limit is long enough for ten emails at once on a busy machine.
    await using mailer = await startOn(world, mail.port, { outcomes, attemptMaxMs: 2_000 });
    await vi.waitFor(() => expect(outcomes).toEqual(Array(10).fill('retry')));
    await vi.waitFor(() => expect(mail.areOpen()).toEqual(Array(10).fill(false)));
    outcomes.length = 0;
    const dueAt = world.clock.now() + 5 * 60_000;
    const rows = await storage.read((queries) => queries.selectFrom('notification_emails').selectAll().execute());
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row).toMatchObject({ attempt: 1, lease_until: null, due_at: dueAt });

    world.clock.restore({ frozenAt: dueAt });
    mailer.wake();
    await vi.waitFor(() => expect(outcomes).toEqual(Array(10).fill('sent')));
    // The connections on which emails were sent stay open for the next emails.
    expect(mail.areOpen().slice(10)).not.toContain(false);
  },
);

test.for(['accepts', 'refuses'] as const)(
  'an email is sent again when its lease ends, if the result of the attempt could not be stored: the mail server %s the email',
  async (first) => {
    const attemptedAt: number[] = [];
    await using mail = await startMailServer(0, () => {
      attemptedAt.push(performance.now());
      return first === 'refuses' && attemptedAt.length === 1 ? new Error('Mailbox is full') : undefined;
    });
    const world = await createWorld();
    await using storage = world.storage;
    await storeEmails(world, 1);
    let leaseEndsAt = 0;
    const failing: Storage = {
      ...storage,
      async write(work, options) {
        if (attemptedAt.length === 0 || leaseEndsAt > 0) return await storage.write(work, options);
        // Shorten the lease, but let it last until after the mailer has looked again because of the error.
        leaseEndsAt = Math.round(performance.now()) + 1_000;
        await storage.write((queries) =>
          queries.updateTable('notification_emails').set({ lease_until: leaseEndsAt }).execute(),
        );
        throw new StorageUnavailableError('The disk is full.');
      },
    };
    const outcomes: EmailOutcome[] = [];
    await using _mailer = await startOn({ ...world, storage: failing }, mail.port, { outcomes });
    await vi.waitFor(() => expect(outcomes).toEqual(['sent']));
    expect(attemptedAt).toHaveLength(2);
    expect(attemptedAt[1]).toBeGreaterThan(leaseEndsAt);
    expect(await storage.read((queries) => queries.selectFrom('notification_emails').selectAll().execute())).toEqual(
      [],
    );
  },
);

test.for([
  { method: 'PLAIN', user: 'mail user', password: 'p@ss word', login: 'mail%20user:p%40ss%20word@' },
  { method: 'LOGIN', user: 'mail user', password: 'p@ss word', login: 'mail%20user:p%40ss%20word@' },
  { method: 'PLAIN', user: 'user', password: '50%off', login: 'user:50%off@' },
  { method: 'LOGIN', user: 'user', password: 'x%', login: 'user:x%25@' },
])('the log has no password, even if the mail server repeats it: AUTH $method, $login', async (sent) => {
  const { method, user, password, login } = sent;
  const written = login.slice(login.indexOf(':') + 1, -1);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.write('220 ready\r\n');
    socket
      .on('error', () => {})
      .on('data', (data) => {
        const command = data.toString().trim();
        if (command.startsWith('EHLO')) return socket.write(`250-mail\r\n250 AUTH ${method}\r\n`);
        if (command === 'AUTH LOGIN') return socket.write('334 VXNlcm5hbWU6\r\n');
        if (command === Buffer.from(user).toString('base64')) return socket.write('334 UGFzc3dvcmQ6\r\n');
        socket.write(`535 cannot use ${command}, ${password}, ${written}\r\n`);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const world = await createWorld();
  await using storage = world.storage;
  await storeEmails(world, 1);
  const outcomes: EmailOutcome[] = [];
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn').mockReturnValue();
  const { port } = server.address() as AddressInfo;
  const mailer = await startOn({ ...world, storage }, port, { outcomes, login, logger });
  await vi.waitFor(() => expect(outcomes).toEqual(['retry']));
  const command = method === 'PLAIN' ? 'AUTH PLAIN [redacted]' : '[redacted]';
  const { reason } = Object(warn.mock.calls[0]?.[0]);
  expect(reason.replace(/^.*535/, '')).toBe(` cannot use ${command}, [redacted], [redacted]`);
  await mailer[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  server.close();
});
