import { EVENT_CATALOG } from '@svc/contract';
import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import { dataSourceProblem } from '../../domain/profiles/data-source.ts';
import { subscriptionProblem } from '../../domain/subscription-problem.ts';
import { DEMO_CREDENTIALS } from './demo.ts';
import type { Seed, SeedProblem, SeedWorkspace } from './schema.ts';

/** Finds the first mistake that the schema cannot find, such as a duplicate value or an unknown user. */
export function seedProblem(seed: Seed, rules: ReceiverRules): SeedProblem | undefined {
  const [first] = problemsIn(seed, rules);
  return first;
}

function* problemsIn(seed: Seed, rules: ReceiverRules): Generator<SeedProblem> {
  if (!rules.local) yield* demoCredentialsIn(seed);
  yield* twiceIn(seed);
  const emails = new Set(seed.users.map((user) => user.email));
  const types = [...EVENT_CATALOG, ...seed.eventTypes].map((item) => item.type);
  for (const [index, { type }] of seed.eventTypes.entries()) {
    const problem = `${type} is already in the catalog of event types`;
    if (EVENT_CATALOG.some((item) => item.type === type)) yield { path: `eventTypes.${index}.type`, problem };
  }
  for (const [index, { slug, members, workspaces }] of seed.organizations.entries()) {
    for (const email of Object.keys(members)) {
      const path = `organizations.${index}.members.${email}`;
      if (!emails.has(email)) yield { path, problem: 'there is no such user' };
    }
    for (const [number, workspace] of workspaces.entries()) {
      const inWorkspace = `organizations.${index}.workspaces.${number}`;
      for (const email of Object.keys(workspace.overrides)) {
        const problem = `the user is not a member of the organization ${slug}`;
        if (!Object.hasOwn(members, email)) yield { path: `${inWorkspace}.overrides.${email}`, problem };
      }
      for (const { path, problem } of problemsInWorkspace(workspace, types, rules))
        yield { path: `${inWorkspace}.${path}`, problem };
    }
  }
}

function* demoCredentialsIn({ users, organizations }: Seed): Generator<SeedProblem> {
  for (const [index, { tokens }] of users.entries()) yield* demoCredentialsAmong(tokens, `users.${index}.tokens`);
  for (const [index, { workspaces }] of organizations.entries()) {
    for (const [number, { apiKeys }] of workspaces.entries())
      yield* demoCredentialsAmong(apiKeys, `organizations.${index}.workspaces.${number}.apiKeys`);
  }
}

function* demoCredentialsAmong(credentials: readonly { credential?: string | undefined }[], path: string) {
  for (const [index, { credential = '' }] of credentials.entries()) {
    const problem = `${credential} is a public demo credential, which the strict profile rejects`;
    if (DEMO_CREDENTIALS.includes(credential)) yield { path: `${path}.${index}`, problem };
  }
}

function* problemsInWorkspace(
  { dataSource, timezone, profiles, endpoints }: SeedWorkspace,
  types: readonly string[],
  rules: ReceiverRules,
): Generator<SeedProblem> {
  const ofSource = dataSourceProblem(dataSource, rules);
  if (ofSource) yield { path: `dataSource.${ofSource.path}`, problem: ofSource.problem };
  const { has } = calendarOf(timezone);
  for (const [index, { activeDays = [] }] of profiles.entries()) {
    const at = activeDays.findIndex((day) => !has(day));
    const problem = `${activeDays[at]} does not exist in the time zone ${timezone}`;
    if (at !== -1) yield { path: `profiles.${index}.activeDays.${at}`, problem };
  }
  for (const [index, endpoint] of endpoints.entries()) {
    const path = `endpoints.${index}`;
    if (!rules.local && endpoint.secret !== undefined)
      yield { path: `${path}.secret`, problem: 'the strict profile rejects a secret that is set in the seed' };
    for (const [place, pattern] of endpoint.subscribedEvents.entries()) {
      const problem = subscriptionProblem(pattern, types);
      if (problem) yield { path: `${path}.subscribedEvents.${place}`, problem };
    }
    const problem = receiverUrlProblem(endpoint.url, rules);
    if (problem !== undefined) yield { path: `${path}.url`, problem };
  }
}

interface Unique {
  /** Values in the same group must differ. For example, the slugs of an organization's workspaces form a group. */
  group: string;
  value: string | undefined;
  path: string;
  /** If set, messages contain this text instead of the value. */
  secret?: string;
}

/** Reports each duplicate value at the path of its later occurrence. */
function* twiceIn(seed: Seed): Generator<SeedProblem> {
  const places = new Map<string, string>();
  for (const { group, value, path, secret } of uniqueIn(seed)) {
    if (value === undefined) continue;
    const key = `${group} ${value}`;
    const first = places.get(key);
    if (first === undefined) places.set(key, path);
    else yield { path, problem: `${secret ?? `"${value}"`} occurs twice, first at "${first}"` };
  }
}

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
  // Entries with the same `externalId` are merged into one profile, and the first entry determines the profile's id.
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
