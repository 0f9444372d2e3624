import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { checkMachine } from '../../src/cli/doctor/machine.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { createContext } from '../../src/context.ts';
import { createApp } from '../../src/http/app.ts';
import type { Storage } from '../../src/storage/port.ts';
import { demo } from '../support/demo.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** A server without a socket, with its database in `dataDir` and one endpoint. */
async function startOn(dataDir: string, receiver: Receiver) {
  const context = await createContext({
    ...DEFAULT_CONFIG,
    dataDir,
    logLevel: 'silent',
    rateLimit: false,
    publicUrl: 'http://service.localhost',
  });
  const errors = vi.spyOn(context.services.logger, 'error');
  const app = createApp(context.services);
  async function call(method: string, path: string, body?: object) {
    const response = await app.fetch(
      new Request(`http://service.localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
    // biome-ignore lint/suspicious/noExplicitAny: tests compare whole responses; their shape is what they assert.
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  }
  await call('POST', '/v1/webhooks/endpoints', { url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  const storage = context.services.storage as Storage;
  return { storage, call, errors, [Symbol.asyncDispose]: () => context[Symbol.asyncDispose]() };
}
type Started = Awaited<ReturnType<typeof startOn>>;

function makeFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'svc-full-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const EVENTS_A_CALL = 20;
const cause = ({ call }: Started) =>
  call('POST', '/_control/events', {
    events: Array(EVENTS_A_CALL).fill({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' }),
  });

/** Causes events, several calls at a time, until all are refused. @returns the deliveries of the accepted events. */
async function fill(server: Started): Promise<string[]> {
  const accepted: string[] = [];
  for (let refused = 0; refused < 4; ) {
    const answers = await Promise.all([cause(server), cause(server), cause(server), cause(server)]);
    refused = 0;
    for (const { status, headers, body } of answers) {
      if (status === 201) {
        const events = body.events as { deliveries: { id: string }[] }[];
        accepted.push(...events.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)));
        continue;
      }
      refused++;
      expect(status).toBe(503);
      expect(body).toMatchObject({
        error: { code: 'UNAVAILABLE', message: expect.stringContaining('nothing was changed') },
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  }
  return accepted;
}

/** Expects that everything accepted is stored and nothing refused is. When there is room again, all of it is delivered. */
async function expectNothingLost(server: Started, receiver: Receiver, accepted: string[], makeRoom: () => unknown) {
  expect(accepted.length).toBeGreaterThan(0);
  const stored = await server.storage.read((queries) => queries.selectFrom('deliveries').select('id').execute());
  expect(stored.map(({ id }) => id).sort()).toEqual(accepted.toSorted());
  // Requests that only read still work.
  expect((await server.call('GET', '/v1/webhooks/endpoints')).status).toBe(200);
  expect((await server.call('GET', '/health/live')).status).toBe(200);

  await makeRoom();
  await vi.waitFor(async () => expect((await cause(server)).status).toBe(201), { interval: 100 });
  await server.call('POST', '/_control/settle', {});
  const ends = await server.storage.read((queries) => queries.selectFrom('delivery_ends').selectAll().execute());
  expect(new Set(ends.map(({ status, attempt }) => `${status} ${attempt}`))).toEqual(new Set(['success 1']));
  const received = receiver.received.map(({ headers }) => headers['webhook-id']);
  // The process kept the results in memory, so it sent none again.
  expect(received.toSorted()).toEqual(ends.map(({ delivery_id }) => delivery_id).sort());
  expect((await server.call('GET', '/health/ready')).status).toBe(200);
}

describe('A full disk', () => {
  test('a database that may not grow makes the server answer writes with 503, and nothing is lost', async () => {
    using folder = makeFolder();
    await using receiver = await startReceiver();
    await using server = await startOn(folder.path, receiver);
    const pages = (count: number) =>
      server.storage.write((queries) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(queries));
    const { rows } = await server.storage.read((queries) =>
      sql<{ page_count: number }>`pragma page_count`.execute(queries),
    );
    await pages(Number(rows[0]?.page_count) + 100);
    const accepted = await fill(server);
    const failures = server.errors.mock.calls.filter(([, text]) => text === 'request failed');
    const reasons = failures.map(([about]) => String((about as { err: Error }).err.message));
    // Each reason appears once, although many calls were refused.
    expect(reasons).toContain('The database is unavailable: database or disk is full');
    expect(new Set(reasons).size).toBe(reasons.length);
    await expectNothingLost(server, receiver, accepted, () => pages(1_000_000));
  });

  const mountable = canMount();
  // Only root can make a small disk. Without root, the test above covers this case.
  test.skipIf(!mountable)(
    'a disk without space makes the server answer writes with 503, and nothing is lost',
    async () => {
      using folder = makeFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder.path]);
      try {
        await using receiver = await startReceiver();
        await using server = await startOn(folder.path, receiver);
        const ballast = join(folder.path, 'ballast');
        writeFileSync(ballast, Buffer.alloc(512 * 1024));
        const accepted = await fill(server);
        const findings = await checkMachine('http://127.0.0.1:1', folder.path, undefined);
        expect(findings.find(({ what }) => what === 'data folder')).toEqual({
          what: 'data folder',
          ok: false,
          detail: `less than 1 MiB is free on the disk of ${folder.path}.`,
        });
        await expectNothingLost(server, receiver, accepted, () =>
          execFileSync('mount', ['-o', 'remount,size=64m', folder.path]),
        );
      } finally {
        execFileSync('umount', ['-l', folder.path]);
      }
    },
  );
});

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  using folder = makeFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path], { stdio: 'ignore' });
    execFileSync('umount', [folder.path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
