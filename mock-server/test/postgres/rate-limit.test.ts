import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { takeRequest } from '../../src/storage/statements/rate-limit-windows.ts';
import { createTestDatabase } from '../support/database.ts';
import { demo } from '../support/demo.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { startFleet } from './support/fleet.ts';

describe('The rate limit of several servers on one database', () => {
  test('accepts exactly 120 of 600 concurrent requests with one token across three servers', async () => {
    await using fleet = await startFleet();
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        fleet.nodes[index % 3]?.call('GET', '/v1/me', { credential: demo.viewer }),
      ),
    );
    const statuses = answers.map((answer) => answer?.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(480);
    const remaining = answers
      .filter((answer) => answer?.status === 200)
      .map((answer) => Number(/r=(\d+)/.exec(answer?.headers.get('ratelimit') ?? '')?.[1]));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, left) => left));
    // Another credential has its own window.
    expect((await fleet.nodes[0].call('GET', '/v1/me', { credential: demo.owner })).status).toBe(200);
  });

  test('starts a window with the first request after the last one ended, and does not count refused requests', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    const take = () =>
      storage.read((queries) => takeRequest(queries, { credentialId: 'key_1', limit: 2, windowMs: 60_000 }));
    const begin = (msAgo: number) =>
      storage.write((queries) =>
        queries
          .updateTable('rate_limit_windows')
          .set({ started_at: Date.now() - msAgo })
          .execute(),
      );
    const version = () => storage.read((queries) => sql`select xmin, ctid from rate_limit_windows`.execute(queries));
    expect([await take(), await take(), await take()].map(({ taken }) => taken)).toEqual([1, 2, 3]);
    const { rows } = await version();
    expect((await take()).taken).toBe(3);
    expect((await version()).rows, 'a refused request wrote to the row').toEqual(rows);
    await begin(40_000);
    const last = await take();
    expect(last.taken).toBe(3);
    expect(last.endsInMs).toBeLessThanOrEqual(20_000);
    await begin(60_001);
    const first = await take();
    expect(first.taken).toBe(1);
    expect(first.endsInMs).toBeGreaterThan(20_000);
    expect((await take()).taken).toBe(2);
  });
});
