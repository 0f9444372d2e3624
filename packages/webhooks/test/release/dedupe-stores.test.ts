import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createWebhooks, type DedupeStore, memoryDedupe } from '@svc/webhooks';
import pg from 'pg';
import type { RedisClientOptions } from 'redis';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTable, postgresDedupe } from '../documented/dedupe-postgres.ts';
import { redisDedupe } from '../documented/dedupe-redis.ts';
import { deleteExpired, sqliteDedupe } from '../documented/dedupe-sqlite.ts';
import type { ClaimTask } from '../support/claim-in-sqlite.ts';
import { NOW_MS, SECRET, signedRequest } from '../support/message.ts';
import { openTestPostgres } from '../support/postgres.ts';
import { noRedis, openTestRedis } from '../support/redis.ts';

const postgres = await openTestPostgres();
const pool = new pg.Pool({ connectionString: postgres.url, max: 10 });
// A connection that left the pool may still get the message that the database shuts down.
pool.on('error', () => {});
await pool.query(createTable);
afterAll(async () => {
  await pool.end();
  await postgres[Symbol.asyncDispose]();
});

const redis = noRedis ? undefined : await openTestRedis();
async function connectTo(connection: RedisClientOptions) {
  const { createClient } = await import('redis');
  return [createClient(connection), createClient(connection)];
}
const clients = redis ? await connectTo(redis.connection) : [];
await Promise.all(clients.map((client) => client.connect()));
afterAll(async () => {
  for (const client of clients) client.destroy();
  await redis?.[Symbol.asyncDispose]();
});
if (noRedis) console.warn(`The store over Redis is not tested: ${noRedis}.`);

/** A store, and a second instance over the same data, as another process would open it. */
const stores: [string, () => [DedupeStore, DedupeStore]][] = [
  ['memory', () => Array(2).fill(memoryDedupe()) as [DedupeStore, DedupeStore]],
  ['SQLite', () => Array(2).fill(sqliteDedupe(new DatabaseSync(':memory:'))) as [DedupeStore, DedupeStore]],
  [
    'SQLite with bigints',
    () =>
      Array(2).fill(sqliteDedupe(new DatabaseSync(':memory:', { readBigInts: true }))) as [DedupeStore, DedupeStore],
  ],
  ['PostgreSQL', () => [postgresDedupe(pool), postgresDedupe(pool)]],
  ['Redis', () => clients.map((client) => redisDedupe(client)) as [DedupeStore, DedupeStore]],
];

const claimOf = (leaseSeconds = 240) => ({ token: randomUUID(), leaseSeconds, lifetimeSeconds: 600 });

for (const [name, open] of stores)
  describe.skipIf(name === 'Redis' && noRedis)(`the store over ${name}`, () => {
    it('runs the handler once if two processes get 40 copies at the same time', async () => {
      let runs = 0;
      let answered = 0;
      const othersAreAnswered = Promise.withResolvers<void>();
      const id = `whd_${randomUUID()}`;
      const receivers = open().map((dedupe) => createWebhooks({ secrets: SECRET, now: NOW_MS, dedupe }));
      for (const receiver of receivers) {
        receiver.on('*', async () => {
          runs += 1;
          await othersAreAnswered.promise;
        });
      }
      const copies = Array.from({ length: 40 }, async (_copy, i) => {
        const answer = await receivers[i % 2]?.fetch(signedRequest({ id }));
        answered += 1;
        if (answered === 39) othersAreAnswered.resolve();
        return answer;
      });
      const statuses = (await Promise.all(copies)).map((answer) => answer?.status);
      expect(runs).toBe(1);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect((await receivers[1]?.fetch(signedRequest({ id })))?.status).toBe(200);
      expect(runs).toBe(1);
    });

    it('runs the handler again on a retry if it threw', async () => {
      const id = `whd_${randomUUID()}`;
      const [dedupe] = open();
      let fails = true;
      const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS, dedupe, onError: () => {} });
      webhooks.on('*', () => {
        if (fails) throw new Error('not now');
      });
      expect((await webhooks.fetch(signedRequest({ id }))).status).toBe(500);
      fails = false;
      const answers = [await webhooks.fetch(signedRequest({ id })), await webhooks.fetch(signedRequest({ id }))];
      expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
        { outcome: 'handled' },
        { outcome: 'duplicate' },
      ]);
    });

    it('lets another process claim a delivery once the lease of a process that died ends', async () => {
      const [store, other] = open();
      const id = randomUUID();
      // One second is the shortest lease that every store supports.
      const [dead, next] = [claimOf(1), claimOf()];
      expect(await store.claim(id, dead)).toBe('new');
      expect(await other.claim(id, next)).toBe('busy');
      await vi.waitFor(async () => expect(await other.claim(id, next)).toBe('new'));
      // The first process is still alive after all, but it no longer holds the claim and cannot change it.
      await store.commit(id, dead);
      await store.release(id, dead);
      expect(await store.claim(id, claimOf())).toBe('busy');
      await other.commit(id, next);
      await other.release(id, next);
      expect(await store.claim(id, claimOf())).toBe('done');
    });

    it('remembers a delivery whose handlers needed longer than the lease', async () => {
      const [store] = open();
      const [id, later] = [randomUUID(), randomUUID()];
      const slow = claimOf(1);
      await store.claim(id, slow);
      // When the later lease has ended, the earlier one has ended too.
      await store.claim(later, claimOf(1));
      await vi.waitFor(async () => expect(await store.claim(later, claimOf())).toBe('new'));
      await store.commit(id, slow);
      expect(await store.claim(id, claimOf())).toBe('done');
    });
  });

describe('the store over one SQLite file', () => {
  it('lets four processes claim each delivery once, without an error', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-dedupe-'));
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const program = fileURLToPath(new URL('../support/claim-in-sqlite.ts', import.meta.url));
    const processes = Array.from({ length: 4 }, () =>
      fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
    );
    const errors = Promise.all(processes.map(({ stderr }) => text(stderr as Readable)));
    // All processes open the file at the same moment. Opening it needs a lock too.
    await Promise.all(processes.map((child) => once(child, 'message')));
    const answers = processes.map((child) => Promise.race([once(child, 'message'), once(child, 'exit')]));
    for (const child of processes) child.send({ file: join(folder.path, 'webhooks.db'), ids } satisfies ClaimTask);
    const claimed = await Promise.all(answers);
    expect(await errors).toEqual(['', '', '', '']);
    expect(claimed.flatMap(([message]) => message).toSorted()).toEqual(ids.toSorted());
  });

  it('deletes deliveries that expired more than a day ago and keeps the others', async () => {
    const database = new DatabaseSync(':memory:');
    const store = sqliteDedupe(database);
    await store.claim('expired', claimOf(-86_402));
    await store.claim('still running', claimOf(0));
    const claim = claimOf();
    await store.claim('done', claim);
    await store.commit('done', claim);
    expect(deleteExpired(database).changes).toBe(1);
    expect(database.prepare('SELECT id FROM webhook_deliveries ORDER BY id').all()).toEqual([
      { id: 'done' },
      { id: 'still running' },
    ]);
  });
});
