import { ConfigError, type ServerConfig } from '../config/config.ts';
import { isExposed } from '../config/exposure.ts';
import { hashCredential } from '../domain/credential.ts';
import { isUniqueViolation, type Queries } from '../storage/port.ts';
import { applySeed, type IssuedCredential, type SeedTools } from '../storage/seed/apply.ts';
import { DEMO_CREDENTIALS } from '../storage/seed/demo.ts';
import type { Seed } from '../storage/seed/schema.ts';
import { findCredential } from '../storage/statements/credentials.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';

/**
 * Writes a seed, which `seeds.ts` chose.
 *
 * @throws {@link ConfigError} if a value must be unique but already exists in the database. Duplicates within the seed
 *   are found earlier, but a fixed id in the seed may be the same as an id that the server generated for another row.
 */
export async function seedOrThrow(queries: Queries, seed: Seed, tools: SeedTools): Promise<IssuedCredential[]> {
  try {
    return await applySeed(queries, seed, tools);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ConfigError('The seed is not valid: it contains an id, slug, email or credential twice.', {
      cause: error,
    });
  }
}

/**
 * Applies the seed to an empty database. If the database already has tenants, changes nothing, and returns the seed's
 * valid credentials.
 */
export async function seedIfEmpty(queries: Queries, seed: Seed, tools: SeedTools): Promise<IssuedCredential[]> {
  const present = await queries.selectFrom('organizations').select('id').limit(1).executeTakeFirst();
  return present ? await credentialsInForce(queries, seed) : await seedOrThrow(queries, seed, tools);
}

/**
 * @throws {@link ConfigError} if a credential of the demo seed is valid in this database, because everyone knows these
 *   credentials.
 */
export async function refuseDemoCredentials(queries: Queries): Promise<void> {
  for (const credential of DEMO_CREDENTIALS) {
    if (!(await findCredential(queries, hashCredential(credential)))) continue;
    throw new ConfigError(
      `--strict rejects this database: it accepts the demo credential ${credential}, which everyone knows. ` +
        'Choose another database with --data or --database, or empty this database first: ' +
        'start once without --strict and POST {"seed":{}} to /_control/reset.',
    );
  }
}

/**
 * Remembers that a random seed is in use.
 *
 * @throws {@link ConfigError} if a random seed was used with this data before, and other machines can reach this server
 *   or its profile is strict.
 */
export async function checkRandomSeed(queries: Queries, config: ServerConfig, listens: boolean): Promise<void> {
  if (config.randomSeed !== undefined) {
    await saveSetting(queries, 'usedRandomSeed', true);
    return;
  }
  const isProtected = config.strict || (listens && isExposed(config));
  if (!isProtected || !(await findSetting(queries, 'usedRandomSeed'))) return;
  throw new ConfigError(
    'This data was used with --random-seed, so anyone could derive its secrets from the seed. ' +
      'Choose other data with --data or --database, or run the server only on this machine, without --strict.',
  );
}

async function credentialsInForce(queries: Queries, seed: Seed): Promise<IssuedCredential[]> {
  const keys = seed.organizations.flatMap(({ workspaces }) =>
    workspaces.flatMap(({ apiKeys }) => apiKeys.map((key) => ({ ...key, role: null }))),
  );
  const tokens = seed.users.flatMap(({ email, tokens: own }) => {
    const role = seed.organizations.find(({ members }) => email in members)?.members[email] ?? null;
    return own.map((token) => ({ ...token, role }));
  });
  const known: IssuedCredential[] = [];
  for (const { credential, name, role } of [...keys, ...tokens]) {
    const row = credential === undefined ? undefined : await findCredential(queries, hashCredential(credential));
    if (!row || credential === undefined) continue;
    known.push({
      kind: row.kind as IssuedCredential['kind'],
      name: name ?? row.id,
      credential,
      workspaceId: row.workspace_id,
      role,
    });
  }
  return known;
}
