import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RETRY_DELAYS_MS } from '@svc/contract';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { type DeliveryEngineOptions, startDeliveryEngine } from '../../src/delivery/engine.ts';
import { createSecret } from '../../src/domain/derive-secret.ts';
import { envelopeOf } from '../../src/domain/event-envelope.ts';
import { MasterKey } from '../../src/domain/master-key.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import type { Storage } from '../../src/storage/port.ts';
import { openEngineStorage } from '../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { insertDeliveries } from '../../src/storage/statements/deliveries/accept.ts';
import { VirtualClock } from '../../src/time/clock.ts';

/** A database on disk with one workspace, and everything that an engine needs to run on it. */
export async function createWorld(open: () => Promise<Storage> = openFile, masterKey = MasterKey.random()) {
  const storage = await open();
  const clock = new VirtualClock();
  const ids = createIds(clock);
  const workspaceId = ids.next('workspace');
  const organizationId = ids.next('organization');
  const now = clock.now();
  await storage.write(async (queries) => {
    await queries
      .insertInto('organizations')
      .values({ id: organizationId, slug: organizationId, name: 'Bench', logo: null, created_at: now })
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
        created_at: now,
        updated_at: now,
      })
      .execute();
  });

  return {
    storage,
    clock,
    ids,
    masterKey,

    async addEndpoint(url: string): Promise<string> {
      const id = ids.next('webhookEndpoint');
      await storage.write(async (queries) => {
        await queries
          .insertInto('webhook_endpoints')
          .values({
            id,
            workspace_id: workspaceId,
            url,
            description: null,
            subscribed_events: '["*"]',
            active: 1,
            api_version: '1',
            consecutive_failures: 0,
            created_at: now,
            updated_at: now,
          })
          .execute();
        const { stored } = createSecret(masterKey, ids.next('webhookSecret'));
        await queries
          .insertInto('webhook_secrets')
          .values({ ...stored, endpoint_id: id, created_at: now, expires_at: null })
          .execute();
      });
      return id;
    },

    /** Enqueues deliveries, each of a separate event, spread over the endpoints. */
    async enqueue(endpointIds: readonly string[], count: number): Promise<void> {
      const batch = 1_000;
      for (let done = 0; done < count; done += batch) {
        const events = Array.from({ length: Math.min(batch, count - done) }, () => ({
          id: ids.next('event'),
          workspaceId,
          type: 'lifecycle.evaluated',
          createdAt: clock.now(),
          subject: { id: workspaceId, type: 'workspace', url: `/v1/workspaces/${workspaceId}` } as const,
        }));
        await storage.write(async (queries) => {
          await queries
            .insertInto('events')
            .values(
              events.map((event) => ({
                id: event.id,
                workspace_id: workspaceId,
                type: event.type,
                subject_type: 'workspace',
                subject_id: workspaceId,
                body: envelopeOf(event),
                created_at: event.createdAt,
              })),
            )
            .execute();
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

/** Starts an engine with the default settings of a server. It may deliver to this machine. */
export function startBenchEngine(
  options: Pick<DeliveryEngineOptions, 'storage' | 'clock' | 'ids' | 'masterKey'> & Partial<DeliveryEngineOptions>,
) {
  return startDeliveryEngine({
    logger: createLogger('warn'),
    allowLoopback: true,
    allowNetworks: [],
    concurrency: DEFAULT_CONFIG.concurrency,
    endpointConcurrency: DEFAULT_CONFIG.endpointConcurrency,
    retryDelaysMs: RETRY_DELAYS_MS,
    retryJitterPercent: 0,
    ...options,
  });
}

/** A SQLite file that is removed when it is closed. */
async function openFile(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'data.sqlite');
  const storage = await openSqlite(file);
  const engineStorage = openEngineStorage(file, storage, (reason) => {
    throw reason;
  });
  return {
    ...engineStorage,
    async [Symbol.asyncDispose]() {
      await engineStorage[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
