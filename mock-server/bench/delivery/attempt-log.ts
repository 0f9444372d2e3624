import pg from 'pg';
import type { Sent } from './job.ts';

/**
 * The log of a peer: a row for each attempt, on disk before the job is done. What ends within 5 ms is written together,
 * as the engine does it.
 */
export async function createAttemptLog(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  await pool.query(
    `create table attempt_log (id bigserial primary key, delivery_id text not null, request_headers text not null,
      response_status integer not null, response_body text not null, ended_at bigint not null)`,
  );
  await pool.query('create index on attempt_log (delivery_id, id)');
  let waiting: { id: string; sent: Sent; done(): void; failed(error: unknown): void }[] = [];

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      await pool.query({
        name: 'log',
        text: `insert into attempt_log (delivery_id, request_headers, response_status, response_body, ended_at)
          select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::bigint[])`,
        values: [
          batch.map(({ id }) => id),
          batch.map(({ sent }) => JSON.stringify(sent.headers)),
          batch.map(({ sent }) => sent.status),
          batch.map(({ sent }) => sent.body),
          batch.map(() => Date.now()),
        ],
      });
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }

  return {
    add: (id: string, sent: Sent) =>
      new Promise<void>((done, failed) => {
        if (waiting.push({ id, sent, done, failed }) === 1) setTimeout(flush, 5);
      }),
    count: async () => Number((await pool.query('select count(*) from attempt_log')).rows[0].count),
    close: () => pool.end(),
  };
}
