import { RETRY_DELAYS_MS, type Role } from '@svc/contract';
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { type DeliveryEngineOptions, startDeliveryEngine } from '../../../src/delivery/engine.ts';
import { createSecret } from '../../../src/domain/derive-secret.ts';
import { MasterKey } from '../../../src/domain/master-key.ts';
import { createAddressRules } from '../../../src/domain/receiver-address.ts';
import { ClosingError } from '../../../src/runtime/closing-error.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { acceptEvents } from '../../../src/storage/delivery/accept.ts';
import { insertRows } from '../../../src/storage/many-rows.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { findDeliveryAnywhere, type StoredDelivery } from '../../../src/storage/statements/deliveries/read.ts';
import { VirtualClock } from '../../../src/time/clock.ts';
import { openTestStorage } from '../database.ts';
import { type Responder, startReceiver } from './receiver.ts';

/** The time at which the frozen clock of every world starts. */
export const START = Date.parse('2031-03-01T00:00:00.000Z');

export const MINUTE = 60_000;

/** A database with one workspace, a frozen clock, and what an engine needs to run on them. */
export async function createWorld(opened?: Storage, masterKey = MasterKey.random()) {
  const storage = opened ?? (await openTestStorage());
  const clock = new VirtualClock();
  clock.restore({ frozenAt: START });
  const ids = createIds(clock);
  const organizationId = ids.next('organization');
  const workspaceId = ids.next('workspace');
  await storage.write(async (queries) => {
    const at = clock.now();
    await queries
      .insertInto('organizations')
      .values({ id: organizationId, slug: organizationId, name: 'Acme', logo: null, created_at: at })
      .execute();
    await queries
      .insertInto('workspaces')
      .values({
        id: workspaceId,
        organization_id: organizationId,
        slug: 'production',
        name: 'Production',
        image: null,
        timezone: null,
        week_starts_on: null,
        created_at: at,
        updated_at: at,
      })
      .execute();
  });
  return { storage, clock, ids, masterKey, organizationId, workspaceId };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

type EngineOptions = Partial<DeliveryEngineOptions> & { paused?: boolean };

/** Starts an engine on the world. It is paused by default, so that tests drive it with `runDue`. */
export async function startEngine(
  world: Pick<World, 'storage' | 'clock' | 'ids' | 'masterKey'>,
  options: EngineOptions = {},
) {
  const { storage, clock, ids, masterKey } = world;
  const { paused = true, ...rest } = options;
  const engine = await startDeliveryEngine({
    storage,
    clock,
    ids,
    masterKey,
    logger: createLogger('silent'),
    addressRules: createAddressRules({ allowLoopback: true, allowNetworks: [] }),
    concurrency: DEFAULT_CONFIG.concurrency,
    endpointConcurrency: DEFAULT_CONFIG.endpointConcurrency,
    retryDelaysMs: RETRY_DELAYS_MS,
    retryJitterPercent: 0,
    ...rest,
  });
  if (paused) await engine.pause();
  return {
    ...engine,
    /** Makes every attempt that is due now, then pauses. @returns how many attempts were made. */
    async runDue(): Promise<number> {
      const before = engine.attemptsMade();
      engine.resume();
      if (!(await engine.whenIdle(new AbortController().signal))) throw new ClosingError();
      await engine.pause();
      return engine.attemptsMade() - before;
    },
    /** When the next attempt is due; now if one is due already. */
    nextDueAt: async () => (await engine.status()).nextDueAt,
  };
}

/** A world with one endpoint, a receiver with this response, and an engine from {@link startEngine}. */
export async function startWorld(answer?: Responder, options?: EngineOptions) {
  await using cleanup = new AsyncDisposableStack();
  const receiver = cleanup.use(await startReceiver(answer));
  const world = await createWorld();
  cleanup.use(world.storage);
  const endpoint = await addEndpoint(world, receiver.url);
  const engine = cleanup.use(await startEngine(world, options));
  const owned = cleanup.move();
  return { ...world, receiver, endpoint, engine, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Adds an endpoint. By default, it subscribes to `lifecycle.*`. */
export async function addEndpoint(
  world: World,
  url: string,
  options: { subscribedEvents?: string[]; active?: boolean } = {},
) {
  const { storage, clock, ids, masterKey, workspaceId } = world;
  const id = ids.next('webhookEndpoint');
  const secretId = ids.next('webhookSecret');
  const { raw, stored } = createSecret(masterKey, secretId);
  await storage.write(async (queries) => {
    const at = clock.now();
    await queries
      .insertInto('webhook_endpoints')
      .values({
        id,
        workspace_id: workspaceId,
        url,
        description: null,
        subscribed_events: JSON.stringify(options.subscribedEvents ?? ['lifecycle.*']),
        active: options.active === false ? 0 : 1,
        api_version: '1',
        consecutive_failures: 0,
        created_at: at,
        updated_at: at,
      })
      .execute();
    await queries
      .insertInto('webhook_secrets')
      .values({ ...stored, endpoint_id: id, created_at: at, expires_at: null })
      .execute();
  });
  return { id, secret: raw };
}

/** Accepts `lifecycle.evaluated` events and returns the ids of their deliveries. */
export async function emit({ storage, clock, ids, workspaceId }: World, times = 1) {
  const subject = { id: workspaceId, type: 'workspace', url: `/v1/workspaces/${workspaceId}` } as const;
  const events = Array.from({ length: times }, () => ({
    id: ids.next('event'),
    workspaceId,
    type: 'lifecycle.evaluated',
    createdAt: clock.now(),
    subject,
  }));
  const emitted = await storage.write((queries) => acceptEvents(queries, { ids, clock }, events));
  return emitted.flat().map((delivery) => delivery.id);
}

export async function deliveryOf(storage: Storage, id: string | undefined): Promise<StoredDelivery> {
  const delivery = await storage.read((queries) => findDeliveryAnywhere(queries, id ?? ''));
  if (!delivery) throw new Error(`There is no delivery ${id}.`);
  return delivery;
}

export const attemptsOf = (storage: Storage, id: string | undefined) =>
  storage.read((queries) =>
    queries
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('delivery_id', '=', id ?? '')
      .orderBy('id')
      .execute(),
  );

export const endpointOf = (storage: Storage, id: string) =>
  storage.read((queries) =>
    queries.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );

/** Adds a user with a role in the organization and, if given, an override in the workspace. */
export async function addMember(
  { storage, ids, organizationId, workspaceId, clock }: World,
  role: Role,
  override?: Role | 'None',
): Promise<string> {
  const id = ids.next('user');
  await storage.write(async (queries) => {
    await queries
      .insertInto('users')
      .values({ id, email: `${id}@example.com`, name: id, created_at: clock.now() })
      .execute();
    await queries
      .insertInto('organization_members')
      .values({ organization_id: organizationId, user_id: id, role })
      .execute();
    if (override) {
      await queries
        .insertInto('workspace_overrides')
        .values({ workspace_id: workspaceId, user_id: id, role: override })
        .execute();
    }
  });
  return id;
}

/** Adds many viewers to the organization at once. */
export async function addMembers({ storage, ids, organizationId, clock }: World, count: number): Promise<void> {
  const members = Array.from({ length: count }, () => ids.next('user'));
  await storage.write(async (queries) => {
    await insertRows(queries, 'users', members, {
      id: ['text', (id) => id],
      email: ['text', (id) => `${id}@example.com`],
      name: ['text', (id) => id],
      created_at: ['bigint', () => clock.now()],
    });
    await insertRows(queries, 'organization_members', members, {
      organization_id: ['text', () => organizationId],
      user_id: ['text', (id) => id],
      role: ['text', () => 'Viewer'],
    });
  });
}

/** Disables an endpoint, or enables it again, as `PATCH` does. */
export const setActive = ({ storage }: World, id: string, active: 0 | 1) =>
  storage.write((queries) =>
    queries
      .updateTable('webhook_endpoints')
      .set({ active, ...(active === 1 && { consecutive_failures: 0 }) })
      .where('id', '=', id)
      .execute(),
  );
