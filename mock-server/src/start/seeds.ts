import type { ServerConfig } from '../config/config.ts';
import { isExposed } from '../config/exposure.ts';
import { parseSeed } from '../config/parse-seed.ts';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import type { IssuedCredential } from '../storage/seed/apply.ts';
import { DEMO_CREDENTIALS, demoSeedAt, withoutCredentials } from '../storage/seed/demo.ts';
import type { Seed } from '../storage/seed/schema.ts';

/** The rules for the seeds with which a server starts and resets. */
export interface Seeds {
  /** Whether the demo credentials work. Everyone knows them, so they work only if no other machine can connect. */
  demoCredentials: boolean;
  /** Checks a seed. Default: the seed of the configuration, otherwise the demo seed. */
  parse(value?: unknown): Seed;
  /** Filters the credentials that are known in plain text: returns only those that may be shown. */
  shown(credentials: readonly IssuedCredential[]): IssuedCredential[];
}

/** @param listens - Whether the server has a socket. */
export function createSeeds(
  config: ServerConfig,
  rules: ReceiverRules,
  { listens, realNow }: { listens: boolean; realNow: () => number },
): Seeds {
  const demoCredentials = !config.strict && !(listens && isExposed(config));
  const byDefault = () => {
    if (config.seed !== undefined || config.strict) return config.seed ?? {};
    const demo = demoSeedAt(config.startAt ?? realNow());
    return demoCredentials ? demo : withoutCredentials(demo);
  };
  return {
    demoCredentials,
    parse: (value) => parseSeed(value ?? byDefault(), rules),
    shown: (credentials) =>
      credentials.filter(({ credential }) => demoCredentials || !DEMO_CREDENTIALS.includes(credential)),
  };
}

/**
 * Resets the data to a seed, and remembers the credentials of the latest seed that may be shown.
 *
 * @param issued - The credentials of the seed with which the server started.
 */
export function createSeeded(
  seeds: Seeds,
  replace: { reset(seed: Seed): Promise<IssuedCredential[]> },
  issued: readonly IssuedCredential[],
) {
  let credentials = seeds.shown(issued);
  return {
    credentials: (): IssuedCredential[] => credentials,
    async reset(value: unknown): Promise<IssuedCredential[]> {
      credentials = seeds.shown(await replace.reset(seeds.parse(value)));
      return credentials;
    },
  };
}
