// The composition root: the only file that knows every implementation.
import { createRequire } from 'node:module';
import type { ServerConfig } from './config/config.ts';
import { followPeers } from './fleet/follow-peers.ts';
import { createServices } from './http/services.ts';
import { createChangeStream } from './runtime/change-stream.ts';
import { Cleanup } from './runtime/cleanup.ts';
import { createLogger } from './runtime/logger.ts';
import { createMetrics } from './runtime/metrics.ts';
import { type Address, createAddresses, type InProcess } from './start/addresses.ts';
import { checkConfig } from './start/check-config.ts';
import { createDraining } from './start/draining.ts';
import { openStorage } from './start/open-storage.ts';
import { createSeeds } from './start/seeds.ts';
import { startData } from './start/start-data.ts';
import { startWork } from './start/start-work.ts';
import { loadCatalog } from './state/catalog.ts';
import { loadFaults } from './state/faults.ts';
import { createReloading } from './state/reloading.ts';
import { createReplaceData } from './state/replace-data.ts';
import { createSharedTime } from './time/clock-skew.ts';
import { createSharedClock } from './time/shared-clock.ts';
import { startTime } from './time/virtual-time.ts';

/** Keep this function here: the relative path leads to `package.json` from `src/context.ts` and from the built file. */
const version = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;

/** `inProcess` is present if the server responds through a function instead of listening on a socket. */
export async function createContext(config: ServerConfig, machineNow: () => number = Date.now, inProcess?: InProcess) {
  await using cleanup = new Cleanup();
  const logger = createLogger(config.logLevel, config.logFormat, config.adminToken);
  const { rules, keySources, smtp } = checkConfig(config, logger);
  const listens = inProcess === undefined;
  const seeds = createSeeds(config, rules, { listens, realNow: machineNow });
  const seed = seeds.parse();

  const database = cleanup.use(await openStorage(config, logger));
  const { storage, peers, seenNodes } = database;
  const sharedTime = peers && (await createSharedTime(storage, logger, machineNow));
  const realNow = sharedTime?.now ?? machineNow;
  const data = await startData({ storage, config, keySources, seed, realNow, isShared: peers !== undefined, listens });

  const metrics = createMetrics();
  const changes = cleanup.use(createChangeStream(peers !== undefined));
  const { clock, ids, random, masterKey } = data;
  const base = { storage, clock, ids, random, masterKey, logger, metrics, changes };
  const announce = peers && (async () => void (await peers.announce('settings')));
  const catalog = await loadCatalog(storage);
  const hasSameIds = () => config.randomSeed !== undefined && clock.isStill();
  const changed = () => changes.mark({ faults: true });
  const faults = await loadFaults({ storage, metrics, announce, changed, hasSameIds });
  const settings = cleanup.use(createReloading([catalog, faults], logger));
  const addresses = createAddresses(config, inProcess);

  const { clockFleet: fleet } = database;
  // Before the work starts, nothing depends on a change of the clock.
  let clockMoved = () => {};
  const onReset = () => changes.mark({ reset: true });
  const onChange = () => clockMoved();
  const sharedClock = createSharedClock({ ...base, fleet, lastReset: data.lastReset, onChange, onReset });
  const options = { base, config, sharedClock, database, addresses, rules, smtp, faults, inProcess, cleanup };
  const work = await startWork(options);
  const { mailer, engine, evaluator } = work;
  clockMoved = work.clockMoved;
  const timeline = startTime({ ...base, ...work, roles: config.roles, fleet, sharedClock });
  const draining = createDraining(storage, logger, changes, [engine, evaluator]);
  const node = { ...work, schema: draining, sharedClock, catalog, faults, logger };
  if (peers && seenNodes && sharedTime) cleanup.use(await followPeers({ ...node, peers, seenNodes, sharedTime }));

  const onReplaced = async () => {
    changes.mark({ reset: true, clock: true });
    // An email in the restored data may already be due.
    mailer?.wake();
    await announce?.();
  };
  const replace = createReplaceData({ ...base, work: [evaluator, engine], sharedClock, settings, data, onReplaced });
  const credentials = seeds.show(data.credentials);
  const services = createServices({
    ...config,
    ...base,
    ...rules,
    ...addresses,
    ...work,
    version,
    catalog,
    faults,
    timeline,
    snapshots: replace,
    demoCredentials: seeds.demoCredentials,
    draining: draining.hasBegun,
    reset: (seed, caller) => seeds.reset(seed, (parsed) => replace.reset(parsed, caller)),
    credentials: seeds.credentials,
    checkDisk: database.check,
    settings,
  });
  const owned = cleanup.move();
  return {
    services,
    /** The valid credentials that the server knows in plain text: from the seed, or generated by the server. */
    credentials,
    drain: draining.begin,
    outdated: draining.outdated,
    deliveriesInFlight: engine.inFlight,
    /** Call this when the socket is open: absolute URLs in responses and emails contain the address of the socket. */
    listeningAt(address: Address): void {
      addresses.listeningAt(address);
      mailer?.wake();
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
