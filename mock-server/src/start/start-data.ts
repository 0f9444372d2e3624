import type { ServerConfig } from '../config/config.ts';
import { REAL_TIME, released } from '../domain/clock-state.ts';
import { parseInstant } from '../domain/instant.ts';
import { createSeededRandom, systemRandom } from '../domain/random.ts';
import { createIds } from '../runtime/ids.ts';
import { followLatestId } from '../storage/changes/ids.ts';
import type { Queries, Storage } from '../storage/port.ts';
import type { Seed } from '../storage/seed/schema.ts';
import { findLatestId } from '../storage/statements/ids.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';
import { clearLeases, lockStart } from '../storage/statements/start.ts';
import { VirtualClock } from '../time/clock.ts';
import { type MasterKeySources, proveMasterKey } from './master-key-proof.ts';
import { checkRandomSeed, refuseDemoCredentials, seedIfEmpty, seedOrThrow } from './seeds.ts';

interface StartDataOptions {
  storage: Storage;
  config: ServerConfig;
  keySources: MasterKeySources;
  seed: Seed;
  realNow(): number;
  isShared: boolean;
  listens: boolean;
}

/**
 * Resumes the stored data, or applies the seed to an empty database. Throws {@link ConfigError} and changes nothing if
 * the data, the master key or the seed cannot be used.
 */
export async function startData(options: StartDataOptions) {
  const { storage, config, isShared } = options;
  const clock = new VirtualClock(options.realNow);
  const random = config.randomSeed === undefined ? systemRandom : createSeededRandom(config.randomSeed);

  async function startClock(queries: Queries, seed: Seed): Promise<void> {
    const startAt = config.startAt ?? (seed.clock && parseInstant(seed.clock.startAt));
    clock.restore(startAt === undefined ? REAL_TIME : { frozenAt: startAt });
    if (startAt !== undefined) await saveSetting(queries, 'clock', clock.state);
  }

  const { masterKey, credentials, ids, lastReset } = await storage.write(async (queries) => {
    // Take the lock first, because another node may be applying its seed.
    await lockStart(queries);
    if (!isShared) await clearLeases(queries);
    // Read the latest reset before the clock, so that this node notices if another node resets the data in between.
    const lastReset = await findSetting(queries, 'reset');
    const savedClock = await findSetting(queries, 'clock');
    // If the database is not shared, drop an unfinished step of a clock move: the step comes from a process that died.
    if (savedClock) clock.restore(isShared ? savedClock : released(savedClock));
    const latestId = await findLatestId(queries);
    const ids = createIds(clock, latestId, random);
    if (clock.state.idsAfter !== undefined) ids.riseAbove(clock.state.idsAfter);
    const { masterKey, keep } = await proveMasterKey(queries, options.keySources, random);
    if (latestId === undefined && !savedClock) await startClock(queries, options.seed);
    const credentials = await seedIfEmpty(queries, options.seed, { ids, clock, masterKey, random });
    await followLatestId(queries, { ids, clock });
    if (config.strict) await refuseDemoCredentials(queries);
    await checkRandomSeed(queries, config, options.listens);
    keep();
    return { masterKey, credentials, ids, lastReset };
  });
  const apply = (queries: Queries, seed: Seed) => seedOrThrow(queries, seed, { ids, clock, masterKey, random });
  return { clock, ids, random, masterKey, credentials, lastReset, apply, startClock };
}
