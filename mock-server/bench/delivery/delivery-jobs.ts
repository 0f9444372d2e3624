import { createSecretKey, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { revealSecret, signingKeyOf } from '../../src/domain/derive-secret.ts';
import type { MasterKey } from '../../src/domain/master-key.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { loadTargets } from '../../src/storage/statements/endpoints.ts';
import { openPostgres } from '../../test/support/open-postgres.ts';
import { createSender } from './job.ts';
import { type BenchStorage, createWorld, type EventLoad } from './world.ts';
import { createWriteBack } from './write-back.ts';

/**
 * A delivery in the form of a job for a queue. The job contains everything that an attempt needs, so that an attempt
 * reads nothing from the database.
 */
export interface DeliveryJob {
  id: string;
  endpointId: string;
  workspaceId: string;
  url: string;
  /** The exact bytes of the envelope. */
  body: string;
}

/** What a run delivers, with which database and to which receiver. */
export interface Load extends EventLoad {
  /** The URL of an empty PostgreSQL database. Default: a SQLite file. */
  databaseUrl?: string;
  receiverUrl: string;
  /**
   * With `true`, the events are accepted while the engine delivers. With `only`, the events are accepted without an
   * engine. Default: all deliveries are due before the engine starts.
   */
  accepts?: boolean | 'only';
  /** How many connections the bare loop uses. Default: the number of the engine's slots. */
  connections?: number;
}

async function openBoth(databaseUrl: string): Promise<BenchStorage> {
  const engine = await openPostgres(databaseUrl, 'engine');
  const api = connectPostgres(databaseUrl, 'api');
  return {
    ...engine,
    api,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

/** Creates endpoints and, unless `load.accepts` is set, pending deliveries in the service's tables. */
export async function createDeliveries(load: Load, masterKey?: MasterKey) {
  const { databaseUrl } = load;
  const world = await createWorld(databaseUrl === undefined ? undefined : () => openBoth(databaseUrl), masterKey);
  const endpoints = await world.addEndpoints(load.receiverUrl, load.endpoints);
  if (!load.accepts) await world.enqueue(endpoints, load.deliveries);
  return {
    world,
    endpoints,
    /** @throws unless every delivery succeeded on its first attempt and was logged exactly once. */
    async checkAll(): Promise<void> {
      const { rows } = await world.storage.read((queries) =>
        sql<Record<string, number>>`select
          (select count(*) from delivery_ends where status = 'success' and attempt = 1) as ended,
          (select count(*) from delivery_attempts) as attempts,
          (select count(distinct delivery_id) from delivery_attempts where late = 0) as logged`.execute(queries),
      );
      const wrong = Object.values(rows[0] ?? {}).some((count) => count !== load.deliveries);
      if (wrong) throw new Error(`Not every delivery was made and logged exactly once: ${JSON.stringify(rows[0])}.`);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Splits jobs into batches for a queue. */
export function* inChunks(jobs: readonly DeliveryJob[]): Generator<DeliveryJob[]> {
  const size = 1_000;
  for (let from = 0; from < jobs.length; from += size) yield jobs.slice(from, from + size);
}

/** Creates pending deliveries as jobs outside the engine's queue. Returns the jobs and the function that runs a job. */
export async function createDeliveryJobs(load: Load) {
  const { world, endpoints, checkAll } = await createDeliveries(load);
  const { storage, clock, ids, masterKey } = world;
  const jobs = await storage.write(async (queries) => {
    await sql`truncate delivery_queue, delivery_lanes`.execute(queries);
    const { rows } = await sql<DeliveryJob>`
      select deliveries.id, endpoint_id as "endpointId", deliveries.workspace_id as "workspaceId", url, body
      from deliveries join events on events.id = payload_event_id
      join webhook_endpoints on webhook_endpoints.id = endpoint_id order by deliveries.id`.execute(queries);
    return rows;
  });
  const targets = await storage.read((queries) => loadTargets(queries, endpoints, clock.now()));
  const keys = new Map<string, KeyObject[]>();
  for (const [id, { secrets }] of targets) {
    const revealed = secrets.map((secret) => createSecretKey(signingKeyOf(revealSecret(masterKey, secret))));
    keys.set(id, revealed);
  }
  const sender = createSender(load.receiverUrl);
  const writeBack = createWriteBack(storage);
  const all = Promise.withResolvers<void>();
  let left = load.deliveries;
  return {
    jobs,
    /** Resolves when every job is completed. Rejects with the first failure. */
    all: all.promise,
    /** Attempts the job's delivery. Resolves when the result of the attempt is on disk. */
    async run(job: DeliveryJob): Promise<void> {
      try {
        const startedAt = clock.now();
        const sent = await sender.send({
          id: job.id,
          path: new URL(job.url).pathname,
          body: job.body,
          keys: keys.get(job.endpointId) ?? [],
        });
        await writeBack({ attemptId: ids.nextBare(), delivery: job, startedAt, endedAt: clock.now(), sent });
      } catch (error) {
        all.reject(error);
        throw error;
      }
    },
    completed(count: number): void {
      left -= count;
      if (left === 0) all.resolve();
    },
    checkAll,
    async [Symbol.asyncDispose]() {
      await sender.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
