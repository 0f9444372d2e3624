import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RETRY_DELAYS_MS } from '@svc/contract';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { type DeliveryEngineOptions, startDeliveryEngine } from '../../src/delivery/engine.ts';
import { createSecret } from '../../src/domain/derive-secret.ts';
import { envelopeOf, type NewEvent } from '../../src/domain/event-envelope.ts';
import { MasterKey } from '../../src/domain/master-key.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { SLICE_EVENTS_MAX } from '../../src/http/intake.ts';
import { groupWork } from '../../src/runtime/group-work.ts';
import { createIds, type Ids } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { acceptEvents, insertDeliveries, type NewDelivery } from '../../src/storage/delivery/accept.ts';
import type { Queries, Storage } from '../../src/storage/port.ts';
import { openEngineStorage } from '../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { VirtualClock } from '../../src/time/clock.ts';

/** The maximum number of deliveries or endpoints in one transaction. */
const BATCH = 1_000;

/** The events to accept. Each event has one delivery. */
export interface EventLoad {
  endpoints: number;
  /** How many of the endpoints receive the accepted events. Default: all. */
  busyEndpoints?: number;
  deliveries: number;
}

/** How many callers post events at once. */
const CALLERS = 64;

/** The engine's storage. */
export interface BenchStorage extends Storage {
  /** The storage through which the API writes. Default: the engine's storage. */
  api?: Storage;
}

/**
 * Opens a database (default: a new SQLite file). Creates one workspace in this database, and everything else that an
 * engine needs.
 */
export async function createWorld(open: () => Promise<BenchStorage> = openFile, masterKey = MasterKey.random()) {
  const storage = await open();
  const clock = new VirtualClock();
  const ids = createIds(clock);
  const workspaceId = await storage.write((queries) => insertWorkspace(queries, ids, clock.now()));

  const newEvent = (type: string) => ({
    id: ids.next('event'),
    workspaceId,
    type,
    createdAt: clock.now(),
    subject: { id: workspaceId, type: 'workspace', url: `/v1/workspaces/${workspaceId}` } as const,
  });

  return {
    storage,
    clock,
    ids,
    masterKey,

    /** Adds endpoints. The endpoint at index `n` of the result subscribes only to the event type `bench.<n>`. */
    async addEndpoints(url: string, count: number): Promise<string[]> {
      const added = Array.from({ length: count }, () => ids.next('webhookEndpoint'));
      for (let from = 0; from < count; from += BATCH) {
        const batch = added.slice(from, from + BATCH);
        const endpoints = batch.map((id, index) => ({
          id,
          type: `bench.${from + index}`,
          secret: createSecret(masterKey, ids.next('webhookSecret')).stored,
        }));
        await storage.write((queries) => insertEndpoints(queries, { workspaceId, url, at: clock.now() }, endpoints));
      }
      return added;
    },

    async addEndpoint(url: string): Promise<string> {
      const [id = ''] = await this.addEndpoints(url, 1);
      return id;
    },

    /** Accepts events as the API does: several callers post events at the same time, one event in each call. */
    async accept({ endpoints, busyEndpoints = endpoints, deliveries }: EventLoad, wake: () => void) {
      const api = storage.api ?? storage;
      const accept = groupWork<NewEvent, NewDelivery[]>(
        () => SLICE_EVENTS_MAX,
        () => true,
      );
      let next = 0;
      const caller = async () => {
        while (next < deliveries) {
          const event = newEvent(`bench.${next++ % busyEndpoints}`);
          await accept(workspaceId, event, (events) =>
            api.write((queries) => acceptEvents(queries, { ids, clock }, events)),
          );
          wake();
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
    },

    /** Enqueues deliveries of separate events, and spreads these deliveries over the endpoints. */
    async enqueue(endpointIds: readonly string[], count: number): Promise<void> {
      for (let done = 0; done < count; done += BATCH) {
        const events = Array.from({ length: Math.min(BATCH, count - done) }, () => newEvent('lifecycle.evaluated'));
        await storage.write(async (queries) => {
          await insertEvents(queries, events);
          await insertDeliveries(
            queries,
            events.map((event, index) => ({
              id: ids.next('webhookDelivery'),
              workspaceId,
              endpointId: endpointIds[(done + index) % endpointIds.length] ?? '',
              eventId: event.id,
              payloadEventId: event.id,
              eventType: event.type,
              status: 'pending' as const,
              createdAt: event.createdAt,
            })),
          );
        });
      }
    },

    startEngine: (options: Partial<DeliveryEngineOptions> = {}) =>
      startBenchEngine({ storage, clock, ids, masterKey, ...options }),

    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
    },
  };
}

/** @returns the id of the workspace. */
async function insertWorkspace(queries: Queries, ids: Ids, at: number): Promise<string> {
  const workspaceId = ids.next('workspace');
  const organizationId = ids.next('organization');
  await queries
    .insertInto('organizations')
    .values({ id: organizationId, slug: organizationId, name: 'Bench', logo: null, created_at: at })
    .execute();
  await queries
    .insertInto('workspaces')
    .values({
      id: workspaceId,
      organization_id: organizationId,
      slug: 'bench',
      name: 'Bench',
      image: null,
      timezone: null,
      week_starts_on: null,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return workspaceId;
}

async function insertEndpoints(
  queries: Queries,
  { workspaceId, url, at }: { workspaceId: string; url: string; at: number },
  endpoints: readonly { id: string; type: string; secret: ReturnType<typeof createSecret>['stored'] }[],
): Promise<void> {
  await queries
    .insertInto('webhook_endpoints')
    .values(
      endpoints.map(({ id, type }) => ({
        id,
        workspace_id: workspaceId,
        url,
        description: null,
        subscribed_events: JSON.stringify([type]),
        active: 1,
        api_version: '1',
        consecutive_failures: 0,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
  await queries
    .insertInto('webhook_secrets')
    .values(endpoints.map(({ id, secret }) => ({ ...secret, endpoint_id: id, created_at: at, expires_at: null })))
    .execute();
}

async function insertEvents(queries: Queries, events: readonly NewEvent[]): Promise<void> {
  await queries
    .insertInto('events')
    .values(
      events.map((event) => ({
        id: event.id,
        workspace_id: event.workspaceId,
        type: event.type,
        subject_type: event.subject?.type ?? null,
        subject_id: event.subject?.id ?? null,
        body: envelopeOf(event),
        created_at: event.createdAt,
      })),
    )
    .execute();
}

/** Starts an engine with the default settings of a server. The engine may deliver to receivers on this machine. */
export function startBenchEngine(
  options: Pick<DeliveryEngineOptions, 'storage' | 'clock' | 'ids' | 'masterKey'> & Partial<DeliveryEngineOptions>,
) {
  return startDeliveryEngine({
    logger: createLogger('warn'),
    addressRules: createAddressRules({ allowLoopback: true, allowNetworks: [] }),
    concurrency: DEFAULT_CONFIG.concurrency,
    endpointConcurrency: DEFAULT_CONFIG.endpointConcurrency,
    retryDelaysMs: RETRY_DELAYS_MS,
    retryJitterPercent: 0,
    ...options,
  });
}

/** Opens a SQLite file that is removed when the storage is closed. */
async function openFile(): Promise<BenchStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'data.sqlite');
  const storage = await openSqlite(file);
  const engineStorage = openEngineStorage(file, storage, (reason) => {
    throw reason;
  });
  return {
    ...engineStorage,
    api: storage,
    async [Symbol.asyncDispose]() {
      await engineStorage[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
