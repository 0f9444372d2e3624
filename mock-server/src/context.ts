import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { loadCatalog } from './catalog.ts';
import { Cleanup } from './cleanup.ts';
import { ConfigError, type ServerConfig } from './config/config.ts';
import { canOthersWrite, masterKeyFileIn } from './config/data-folder.ts';
import { isExposed } from './config/exposure.ts';
import { findMasterKey } from './config/master-key.ts';
import { parseSeed } from './config/parse-seed.ts';
import { parseSmtpUrl } from './config/smtp-url.ts';
import { createPages } from './dashboard/pages.ts';
import { createSessions } from './dashboard/sessions.ts';
import { type DeliveryEngine, startDeliveryEngine } from './delivery/engine.ts';
import type { DeliveryObserver } from './delivery/observer.ts';
import { createOwnAddresses, NO_ADDRESSES } from './delivery/sending/own-addresses.ts';
import type { ReceiverRules } from './domain/endpoint-url.ts';
import { envelopeOf } from './domain/event.ts';
import { timeOfId } from './domain/id-time.ts';
import { parseInstant } from './domain/instant.ts';
import { createPageTokens } from './domain/page-token.ts';
import { createSeededRandom, drawFraction, systemRandom } from './domain/random.ts';
import { createAddressRules, createAddressSet, InvalidNetworkError } from './domain/receiver-address.ts';
import { createSharedClock, type NodeReport } from './fleet/shared-clock.ts';
import { followPeers, otherNodesOver } from './follow-peers.ts';
import { createExportSlots } from './http/control/export-slots.ts';
import { createWrongTokens } from './http/control/wrong-tokens.ts';
import { validation } from './http/errors.ts';
import { createIgnoredWarnings } from './http/ignored-warnings.ts';
import { createIntake } from './http/intake.ts';
import { isApiHost, isOwnHost } from './http/own-host.ts';
import { createMemoryRateLimiter, createSharedRateLimiter, type RateLimiter } from './http/rate-limiter.ts';
import { createReceivedRequests } from './http/received-requests.ts';
import type { Services } from './http/services.ts';
import { loadFaults } from './known-faults.ts';
import { type Evaluator, startEvaluator } from './lifecycle/evaluator.ts';
import { importedSince, importProfiles } from './lifecycle/import-profiles.ts';
import type { LifecycleObserver } from './lifecycle/observer.ts';
import { proveMasterKey } from './master-key-proof.ts';
import { type Mailer, startMailer } from './notifications/mailer.ts';
import { openStorage } from './open-storage.ts';
import { createReloading } from './reloading.ts';
import { type Changes, createChanges } from './runtime/changes.ts';
import { type ClockState, REAL_TIME, released, VirtualClock } from './runtime/clock.ts';
import { createIds } from './runtime/ids.ts';
import { createLogger } from './runtime/logger.ts';
import { createMetrics } from './runtime/metrics.ts';
import { watchSchema } from './schema-watch.ts';
import { refuseDemoCredentials, seedIfEmpty, seedOrThrow } from './seeding.ts';
import { settle } from './settle.ts';
import { createSharedTime } from './shared-time.ts';
import { sourceRulesOf } from './source-rules.ts';
import { type Queries, type Storage, StorageUnavailableError } from './storage/port.ts';
import type { IssuedCredential } from './storage/seed/apply.ts';
import { DEMO_CREDENTIALS, demoSeedAt, withoutCredentials } from './storage/seed/demo.ts';
import type { Seed } from './storage/seed/schema.ts';
import { findLatestId } from './storage/statements/find-latest-id.ts';
import { findSetting } from './storage/statements/find-setting.ts';
import { lockStart } from './storage/statements/lock-start.ts';
import { raiseIdLead } from './storage/statements/raise-id-lead.ts';
import { saveSetting } from './storage/statements/save-setting.ts';
import { wipe } from './storage/wipe.ts';
import { createTimeline } from './timeline.ts';
import { restoreSnapshot, saveSnapshot } from './transfer/snapshots.ts';

/** The address that the server listens on. */
export interface Address {
  url: string;
  port: number;
}

/** All parts of a running server. This is the only file that knows every implementation. */
export interface ServerContext extends AsyncDisposable {
  services: Services;
  /** Valid credentials whose text is known from the seed. */
  credentials: readonly IssuedCredential[];
  /** Refuses new requests and starts no attempts. Work that has started continues. */
  drain(): void;
  /** Resolves once a newer version has migrated the shared database. The server then drains. */
  outdated: Promise<Error>;
  /** Attempts that were started and are not yet written back. */
  deliveriesInFlight(): number;
  /** Called once the socket is open, because answers contain absolute URLs. */
  listeningAt(address: Address): void;
}

/** Replacements for the network in a server without a socket. */
export interface InProcess {
  /** Handles each delivery instead of the network. */
  send?: ((request: Request) => Promise<Response>) | undefined;
  /** The origin of the current request's URL. */
  requestOrigin?: (() => string | undefined) | undefined;
}

/**
 * @param realNow - This machine's clock.
 * @param inProcess - Present if the server does not listen.
 */
export async function createContext(
  config: ServerConfig,
  realNow: () => number = Date.now,
  inProcess?: InProcess,
): Promise<ServerContext> {
  await using cleanup = new Cleanup();
  const { send, requestOrigin } = inProcess ?? {};
  const rules = receiverRules(config);
  const logger = createLogger(config.logLevel, config.logFormat);
  if (config.dataDir !== null && canOthersWrite(config.dataDir)) {
    logger.warn({ dataDir: config.dataDir }, 'other users can write to the data folder; restrict it with chmod 700');
  }
  const keySources = {
    configured: config.masterKey,
    file: config.dataDir === null ? undefined : masterKeyFileIn(config.dataDir),
  };
  // Everyone knows the demo credentials, so they work only where no other machine can connect.
  const demoCredentials = !config.strict && (inProcess !== undefined || !isExposed(config));
  const startSeed = () => {
    if (config.seed !== undefined || config.strict) return config.seed ?? {};
    const demo = demoSeedAt(config.startAt ?? realNow());
    return demoCredentials ? demo : withoutCredentials(demo);
  };
  // Check everything that needs no database before creating one.
  findMasterKey(keySources.configured, keySources.file);
  const smtp = config.smtp === undefined ? undefined : parseSmtpUrl(config.smtp);
  const firstSeed = parseSeed(startSeed(), rules);
  const { storage, engineStorage, lifecycleStorage, peers, seenNodes, clockFleet, check, cut } = cleanup.use(
    await openStorage(config, logger),
  );

  const sharedTime = peers && (await createSharedTime(storage, logger, realNow));
  const clock = new VirtualClock(sharedTime?.now ?? realNow);
  const savedClock = await storage.read((queries) => findSetting(queries, 'clock'));
  // Without other nodes, a saved step is from a process that died.
  if (savedClock) clock.restore(peers ? savedClock : released(savedClock));
  const latestId = await storage.read(findLatestId);
  const random = config.randomSeed === undefined ? systemRandom : createSeededRandom(config.randomSeed);
  const ids = createIds(clock, latestId, random);
  /** The start time of the clock for empty data: from the configuration, else from the seed. */
  const startClock = (seed: Seed): ClockState => {
    const at = config.startAt ?? (seed.clock && parseInstant(seed.clock.startAt));
    return at === undefined ? REAL_TIME : { frozenAt: at };
  };
  async function startClockOf(queries: Queries, seed: Seed): Promise<void> {
    clock.restore(startClock(seed));
    if (clock.state !== REAL_TIME) await saveSetting(queries, 'clock', clock.state);
  }

  const { masterKey, credentials } = await storage.write(async (queries) => {
    await lockStart(queries);
    const { masterKey, keep } = await proveMasterKey(queries, keySources, random);
    if (latestId === undefined && !(await findSetting(queries, 'clock'))) await startClockOf(queries, firstSeed);
    if (latestId !== undefined) await raiseIdLead(queries, timeOfId(latestId) + 1 - clock.now());
    const credentials = await seedIfEmpty(queries, firstSeed, { ids, clock, masterKey, random });
    if (config.strict) await refuseDemoCredentials(queries);
    keep();
    return { masterKey, credentials };
  });
  const seedTools = { ids, clock, masterKey, random };
  const catalog = await loadCatalog(storage);
  const metrics = createMetrics({
    async engine() {
      const { inFlight, due, oldestDueAt } = await engine.status();
      const lagMs = oldestDueAt === undefined ? 0 : Math.max(0, clock.now() - oldestDueAt);
      return { inFlight, due, lagMs, evaluationsDue: await evaluator.countDue() };
    },
  });
  const announce =
    peers &&
    (async () => {
      await peers.announce('settings');
    });
  const changes = createChanges(peers !== undefined);
  const lifecycleObserver = observingLifecycle(metrics.lifecycle, changes);
  cleanup.use({ [Symbol.dispose]: changes.close });
  const faults = await loadFaults({ storage, metrics, announce, changed: () => changes.mark({ faults: true }) });
  const settings = cleanup.use(createReloading([catalog, faults], logger));

  let address: Address | undefined;
  const ownAddresses = inProcess
    ? NO_ADDRESSES
    : createOwnAddresses({ port: () => address?.port ?? config.port, publicUrl: config.publicUrl });
  const isHostOfServer = (host: string) => isOwnHost(host, config, address?.port ?? config.port);
  const publicUrl = () => config.publicUrl ?? address?.url ?? requestOrigin?.() ?? `http://${config.host}`;
  // The mailer starts before the engine, which wakes it when an endpoint is disabled.
  const mailer: Mailer | undefined =
    smtp &&
    cleanup.use(
      await startMailer({
        storage,
        clock,
        logger,
        smtp,
        // A listening server learns its address later, in `listeningAt`.
        publicUrl: () => config.publicUrl ?? address?.url ?? (requestOrigin && publicUrl()),
        onOutcome: metrics.emailAttempted,
      }),
    );

  const engine: DeliveryEngine = cleanup.use(
    await startDeliveryEngine({
      storage: engineStorage,
      clock,
      ids,
      masterKey,
      logger,
      allowLoopback: !config.strict,
      allowNetworks: config.allowNetworks,
      ownAddresses,
      concurrency: config.concurrency,
      endpointConcurrency: config.endpointConcurrency,
      retryDelaysMs: config.retryDelaysMs,
      retryJitterPercent: config.retryJitterPercent,
      random: () => drawFraction(random, 'jitter'),
      delivers: config.roles.includes('deliver'),
      retentionMs: config.retentionMs,
      otherNodes: peers && otherNodesOver(peers),
      faults,
      send,
      sendsEmails: smtp !== undefined,
      observer: observing(
        {
          ...metrics.delivery,
          endpointDisabled() {
            metrics.delivery.endpointDisabled();
            mailer?.wake();
          },
        },
        changes,
      ),
      cutDatabase: cut,
    }),
  );

  const intake = createIntake(storage, metrics);
  const wakeDelivery = () => {
    engine.wake();
    peers?.hint('work');
  };
  const evaluator: Evaluator = cleanup.use(
    await startEvaluator({
      storage: lifecycleStorage,
      clock,
      ids,
      logger,
      accept: intake.accept,
      wakeDelivery,
      sourceRules: sourceRulesOf(rules, ownAddresses),
      observer: lifecycleObserver,
      onImported: (before, after) => lifecycleObserver.imported(importedSince(before, after)),
      evaluates: config.roles.includes('evaluate'),
    }),
  );

  const sharedClock = createSharedClock({
    clock,
    ids,
    storage,
    logger,
    lastReset: await storage.read((queries) => findSetting(queries, 'reset')),
    onChange: () => {
      engine.clockMoved();
      evaluator.wake();
      mailer?.wake();
      changes.mark({ clock: true });
    },
    onReset: () => changes.mark({ reset: true }),
    fleet: clockFleet,
  });
  const report = (): NodeReport => ({ attempts: engine.attemptsMade(), evaluations: evaluator.evaluationsMade() });
  const timeline = createTimeline({
    sharedClock,
    clock,
    storage,
    work: [
      { role: 'deliver', ...engine },
      { role: 'evaluate', ...evaluator },
    ],
    report,
    roles: async () => {
      const hasAll = config.roles.includes('deliver') && config.roles.includes('evaluate');
      if (!clockFleet || hasAll) return new Set(config.roles);
      return new Set([...config.roles, ...(await clockFleet.roles())]);
    },
    async settle(timeoutMs) {
      return await settle({ engine, evaluator, clock, evaluates: config.roles.includes('evaluate') }, timeoutMs);
    },
  });
  const schema = watchSchema(storage);
  if (peers && seenNodes && sharedTime)
    cleanup.use(
      await followPeers({ peers, seenNodes, schema, sharedTime, sharedClock, report, catalog, faults, engine, logger }),
    );

  const usable = (all: IssuedCredential[]) =>
    all.filter(({ credential }) => demoCredentials || !DEMO_CREDENTIALS.includes(credential));
  let knownCredentials = usable(credentials);
  let draining = false;
  const services: Services = {
    storage,
    intake,
    clock,
    ids,
    requestIds: createIds({ now: Date.now }),
    masterKey,
    random,
    pageTokens: createPageTokens(masterKey),
    logger,
    metrics,
    rateLimiter: rateLimiter(config, storage),
    receivedRequests: createReceivedRequests({
      keepsBodies: rules.local,
      received: () => changes.mark({ requests: 1 }),
    }),
    warnIgnored: createIgnoredWarnings(logger),
    catalog,
    publicUrl,
    ...rules,
    roles: config.roles,
    demoCredentials,
    adminToken: config.adminToken,
    wrongTokens: createWrongTokens(),
    exportSlots: createExportSlots(),
    sessions: createSessions({ storage, masterKey, adminToken: config.adminToken }),
    dashboard: { register: (app) => createPages(services).register(app) },
    changes,
    about: {
      get version() {
        return (createRequire(import.meta.url)('../package.json') as { version: string }).version;
      },
      database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
      instanceId: randomUUID(),
      credentials: () => knownCredentials,
    },
    cors: config.cors,
    isOwnHost: (host) => inProcess !== undefined || isHostOfServer(host),
    isOwnOrigin: (origin) =>
      inProcess ? origin === requestOrigin?.() : URL.canParse(origin) && isHostOfServer(new URL(origin).host),
    isApiHost: (host) => inProcess !== undefined || isApiHost(host, config),
    draining: () => draining,
    wakeDelivery,
    endpointChanged: (endpointId) => {
      engine.endpointChanged(endpointId);
      peers?.hint('endpoints');
    },
    findOnNode: (delivery) => ({
      ...engine.findOnNode(delivery),
      attemptsMax: config.retryDelaysMs.length + 1,
    }),
    timeline,
    lifecycle: {
      async importProfiles(workspaceId, chunks, format) {
        const result = await importProfiles({ storage: lifecycleStorage, ids, clock }, workspaceId, chunks, format, {
          onBatch: (before, after) => lifecycleObserver.imported(importedSince(before, after)),
        });
        evaluator.wake();
        return result;
      },
      async evaluate(workspaceId) {
        const { evaluation, event } = await evaluator.evaluate(workspaceId);
        return { evaluation, event: JSON.parse(envelopeOf(event)) };
      },
      sync: evaluator.sync,
      wake: evaluator.wake,
    },
    faults,
    snapshots: {
      save: (name) => storage.write((queries) => saveSnapshot(queries, name, clock.now())),
      restore: (name) => sharedClock.alone(() => restore(name)),
    },
    reset: (seed) => asBadRequest(() => sharedClock.alone(() => reset(seed))),
    health: {
      live: () => true,
      ready: async () => {
        check?.();
        await storage.read((queries) => findSetting(queries, 'clock'));
        if (settings.isStale()) return 'The event catalog could not be read since the data was reset.';
        return engine.healthy() ? undefined : 'The delivery engine is not running.';
      },
    },
  };

  async function reset(seedValue: unknown): Promise<IssuedCredential[]> {
    const seed = parseSeed(seedValue ?? startSeed(), rules);
    const before = clock.now();
    let issued: IssuedCredential[] = [];
    await replaceAll(async (queries) => {
      await wipe(queries);
      await startClockOf(queries, seed);
      await raiseIdLead(queries, before - clock.now());
      ids.restart();
      issued = await seedOrThrow(queries, seed, seedTools);
      return true;
    });
    knownCredentials = usable(issued);
    return knownCredentials;
  }

  async function restore(name: string): Promise<boolean> {
    const before = clock.now();
    return await replaceAll(async (queries) => {
      if (!(await restoreSnapshot(queries, name))) return false;
      clock.restore((await findSetting(queries, 'clock')) ?? REAL_TIME);
      // Ids continue from here, so that none occurs twice.
      await raiseIdLead(queries, before - clock.now());
      return true;
    });
  }

  /**
   * Replaces all rows in one transaction, while no attempts are made, and notifies every node.
   *
   * @param work - Returns false if it changed nothing.
   */
  async function replaceAll(work: (queries: Queries) => Promise<boolean>): Promise<boolean> {
    await evaluator.pause();
    await engine.pause();
    const { state } = clock;
    const latest = ids.nextBare();
    const name = randomUUID();
    try {
      const isReplaced = await storage.write(async (queries) => {
        await lockStart(queries);
        if (!(await work(queries))) return false;
        await saveSetting(queries, 'reset', name);
        return true;
      });
      if (!isReplaced) return false;
      sharedClock.wasReset(name);
      changes.mark({ reset: true, clock: true });
      await announce?.();
      return true;
    } catch (error) {
      if (await wasReset(error, name)) sharedClock.wasReset(name);
      else {
        clock.restore(state);
        ids.restart(latest);
      }
      throw error;
    } finally {
      engine.resume();
      evaluator.resume();
      // Also after an error, because it may be unknown whether the rows were replaced.
      await settings.reload();
    }
  }

  /**
   * Whether a reset took effect although it failed: the reply to its commit may have been lost, or the flush failed.
   */
  async function wasReset(error: unknown, name: string): Promise<boolean> {
    if (!(error instanceof StorageUnavailableError) || error.outcome !== 'unknown') return false;
    return (await storage.read((queries) => findSetting(queries, 'reset')).catch(() => undefined)) === name;
  }

  function drain(): void {
    draining = true;
    changes.close();
    // Disposing waits for this and reports errors.
    engine.close().catch(() => {});
    evaluator.close().catch(() => {});
  }

  const outdated = schema.outdated.then((reason) => {
    logger.error(`this server stops: ${reason.message}`);
    drain();
    return reason;
  });

  const owned = cleanup.move();
  return {
    services,
    credentials: knownCredentials,
    drain,
    outdated,
    deliveriesInFlight: engine.inFlight,
    listeningAt: (at) => {
      address = at;
      mailer?.wake();
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** Combines the engine's observers. */
function observing(metrics: DeliveryObserver, changes: Changes): DeliveryObserver {
  return {
    attemptWritten(attempt) {
      metrics.attemptWritten(attempt);
      changes.mark({ deliveries: [attempt.deliveryId], endpoints: [attempt.endpointId] });
    },
    roundEnded: metrics.roundEnded,
    leaseEnded: metrics.leaseEnded,
    endpointDisabled(endpointId) {
      metrics.endpointDisabled(endpointId);
      changes.mark({ endpoints: [endpointId], events: 1, deliveries: 'many', notifications: 1 });
    },
    deliveriesDisabled: () => changes.mark({ deliveries: 'many' }),
  };
}

/** Combines the evaluator's observers. */
function observingLifecycle(metrics: LifecycleObserver, changes: Changes): LifecycleObserver {
  return {
    evaluated(evaluation) {
      metrics.evaluated(evaluation);
      changes.mark({ lifecycle: true, events: 1, deliveries: 'many' });
    },
    synced(sync) {
      metrics.synced(sync);
      changes.mark({ lifecycle: true });
    },
    imported(outcomes) {
      metrics.imported(outcomes);
      changes.mark({ lifecycle: true });
    },
    leaseLost: metrics.leaseLost,
  };
}

function rateLimiter({ rateLimit, databaseUrl }: ServerConfig, storage: Storage): RateLimiter | undefined {
  if (!rateLimit) return undefined;
  return databaseUrl === undefined ? createMemoryRateLimiter() : createSharedRateLimiter(storage);
}

function receiverRules({ strict, allowNetworks, onlyNetworks }: ServerConfig): ReceiverRules {
  try {
    return {
      local: !strict,
      addresses: createAddressRules({ allowLoopback: !strict, allowNetworks }),
      onlyAlso: onlyNetworks && createAddressSet(onlyNetworks),
    };
  } catch (error) {
    throw error instanceof InvalidNetworkError ? new ConfigError(error.message, { cause: error }) : error;
  }
}

/** Reports an invalid seed to the caller of the control API as a bad request. */
async function asBadRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConfigError ? validation(error.message) : error;
  }
}
