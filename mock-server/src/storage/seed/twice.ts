import type { Seed, SeedProblem, SeedWorkspace } from './schema.ts';

/** A value of a seed that must be unique in its group. */
interface Unique {
  /** The group in which the value must be unique, such as all slugs of one organization. */
  group: string;
  value: string | undefined;
  path: string;
  /** A name for the value, for messages that must not show the value. */
  secret?: string;
}

/** The first duplicate value in a seed, with the path of the second occurrence. */
export function twiceIn(seed: Seed): SeedProblem | undefined {
  const places = new Map<string, string>();
  for (const { group, value, path, secret } of uniqueIn(seed)) {
    if (value === undefined) continue;
    const key = `${group} ${value}`;
    const first = places.get(key);
    if (first !== undefined) {
      return { path, problem: `${secret ?? `"${value}"`} occurs twice, first at "${first}"` };
    }
    places.set(key, path);
  }
  return undefined;
}

/** All values in a seed that must be unique, in the order of the file. */
function* uniqueIn({ users, organizations, eventTypes }: Seed): Generator<Unique> {
  for (const [index, { id, email, tokens }] of users.entries()) {
    const path = `users.${index}`;
    yield { group: 'id', value: id, path: `${path}.id` };
    yield { group: 'email', value: email, path: `${path}.email` };
    yield* uniqueInCredentials(tokens, `${path}.tokens`);
  }
  for (const [index, { id, slug, workspaces }] of organizations.entries()) {
    const path = `organizations.${index}`;
    yield { group: 'id', value: id, path: `${path}.id` };
    yield { group: 'slug', value: slug, path: `${path}.slug` };
    for (const [number, workspace] of workspaces.entries()) {
      yield { group: `slug in ${path}`, value: workspace.slug, path: `${path}.workspaces.${number}.slug` };
      yield* uniqueInWorkspace(workspace, `${path}.workspaces.${number}`);
    }
  }
  for (const [index, { type }] of eventTypes.entries()) {
    yield { group: 'event type', value: type, path: `eventTypes.${index}.type` };
  }
}

function* uniqueInWorkspace({ id, apiKeys, endpoints, profiles }: SeedWorkspace, path: string): Generator<Unique> {
  yield { group: 'id', value: id, path: `${path}.id` };
  yield* uniqueInCredentials(apiKeys, `${path}.apiKeys`);
  for (const [index, endpoint] of endpoints.entries()) {
    yield { group: 'id', value: endpoint.id, path: `${path}.endpoints.${index}.id` };
  }
  // Entries with the same `externalId` are merged into one profile. The first entry determines the profile's id.
  const known = new Set<string>();
  for (const [index, profile] of profiles.entries()) {
    if (known.has(profile.externalId)) continue;
    known.add(profile.externalId);
    yield { group: 'id', value: profile.id, path: `${path}.profiles.${index}.id` };
  }
}

function* uniqueInCredentials(
  credentials: readonly { id?: string | undefined; credential?: string | undefined }[],
  path: string,
): Generator<Unique> {
  for (const [index, { id, credential }] of credentials.entries()) {
    yield { group: 'id', value: id, path: `${path}.${index}.id` };
    const secret = 'the same credential';
    yield { group: 'credential', value: credential, path: `${path}.${index}.credential`, secret };
  }
}
