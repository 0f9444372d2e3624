import { ConfigError, type ServerConfig } from '../config/config.ts';
import { isExposed } from '../config/exposure.ts';
import { parseSeed } from '../config/parse-seed.ts';
import { hashCredential } from '../domain/credential.ts';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { validation } from '../http/errors.ts';
import { isUniqueViolation, type Queries } from '../storage/port.ts';
import { applySeed, type SeedTools } from '../storage/seed/apply.ts';
import { DEMO_CREDENTIALS, demoSeedAt, withoutCredentials } from '../storage/seed/demo.ts';
import { credentialsIn, type IssuedCredential } from '../storage/seed/issued-credential.ts';
import type { Seed } from '../storage/seed/schema.ts';
import { findCredential } from '../storage/statements/credentials.ts';
import { hasOrganizations } from '../storage/statements/organizations.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';

/** Provides the seeds that a server starts with or resets to. */
export function createSeeds(
  config: ServerConfig,
  rules: ReceiverRules,
  { listens, realNow }: { listens: boolean; realNow: () => number },
) {
  const demoCredentials = !config.strict && !(listens && isExposed(config));
  const byDefault = () => {
    if (config.seed !== undefined || config.strict) return config.seed ?? {};
    const demo = demoSeedAt(config.startAt ?? realNow());
    return demoCredentials ? demo : withoutCredentials(demo);
  };
  let credentials: IssuedCredential[] = [];
  const parse = (value?: unknown) => parseSeed(value ?? byDefault(), rules);
  /** Sets `credentials` to the issued credentials that may be shown, and returns these credentials. */
  function show(issued: readonly IssuedCredential[]): IssuedCredential[] {
    credentials = issued.filter(({ credential }) => demoCredentials || !DEMO_CREDENTIALS.includes(credential));
    return credentials;
  }
  return {
    /** Everyone knows the demo credentials, so they work only if no other machine can connect. */
    demoCredentials,
    parse,
    show,
    async reset(value: unknown, replace: (seed: Seed) => Promise<IssuedCredential[]>): Promise<IssuedCredential[]> {
      try {
        return show(await replace(parse(value)));
      } catch (error) {
        // The caller of the control API sent the invalid seed, so respond with a validation error.
        throw error instanceof ConfigError ? validation(error.message) : error;
      }
    },
    credentials: () => credentials,
  };
}

/** Throws if an id in the seed equals a generated id. Earlier checks find only duplicates within the seed. */
export async function seedOrThrow(queries: Queries, seed: Seed, tools: SeedTools): Promise<IssuedCredential[]> {
  try {
    return await applySeed(queries, seed, tools);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ConfigError('The seed is not valid: an id, slug, email or credential in it is already in use.', {
      cause: error,
    });
  }
}

/** If the database is not empty, returns only the credentials of the seed that are valid in this database. */
export async function seedIfEmpty(queries: Queries, seed: Seed, tools: SeedTools): Promise<IssuedCredential[]> {
  return (await hasOrganizations(queries))
    ? await credentialsInForce(queries, seed)
    : await seedOrThrow(queries, seed, tools);
}

export async function refuseDemoCredentials(queries: Queries): Promise<void> {
  for (const credential of DEMO_CREDENTIALS) {
    if (!(await findCredential(queries, hashCredential(credential)))) continue;
    throw new ConfigError(
      `--strict rejects this database: the database contains the demo credential ${credential}, which everyone knows. ` +
        'Choose another database with --data or --database, or empty this database first: ' +
        'start once without --strict and POST {"seed":{}} to /_control/reset.',
    );
  }
}

/** Marks data that is used with a random seed. Throws if a strict or exposed server opens marked data. */
export async function checkRandomSeed(queries: Queries, config: ServerConfig, listens: boolean): Promise<void> {
  if (config.randomSeed !== undefined) {
    await saveSetting(queries, 'usedRandomSeed', true);
    return;
  }
  const isProtected = config.strict || (listens && isExposed(config));
  if (!isProtected || !(await findSetting(queries, 'usedRandomSeed'))) return;
  throw new ConfigError(
    'This data was used with --random-seed, so anyone could derive its secrets from the seed. ' +
      'Choose other data with --data or --database. Or start a server that only this machine can reach, without --strict.',
  );
}

async function credentialsInForce(queries: Queries, seed: Seed): Promise<IssuedCredential[]> {
  const known: IssuedCredential[] = [];
  for (const { credential, name, role } of credentialsIn(seed)) {
    if (credential === undefined) continue;
    const row = await findCredential(queries, hashCredential(credential));
    if (!row) continue;
    known.push({ kind: row.kind, name: name ?? row.id, credential, workspaceId: row.workspace_id, role });
  }
  return known;
}
