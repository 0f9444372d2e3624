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
  for (const [path, { type }] of withPaths('eventTypes', seed.eventTypes)) {
    const problem = `${type} is already in the catalog of event types`;
    if (EVENT_CATALOG.some((item) => item.type === type)) yield { path: `${path}.type`, problem };
  }
  for (const [path, { slug, members, workspaces }] of withPaths('organizations', seed.organizations)) {
    for (const email of Object.keys(members)) {
      if (!emails.has(email)) yield { path: `${path}.members.${email}`, problem: 'there is no such user' };
    }
    for (const [inWorkspace, workspace] of withPaths(`${path}.workspaces`, workspaces)) {
      for (const email of Object.keys(workspace.overrides)) {
        const problem = `the user is not a member of the organization ${slug}`;
        if (!Object.hasOwn(members, email)) yield { path: `${inWorkspace}.overrides.${email}`, problem };
      }
      yield* problemsInWorkspace(workspace, inWorkspace, types, rules);
    }
  }
}

/** Returns the items of a list in the seed, each with its path. */
const withPaths = <Item>(path: string, items: readonly Item[]) =>
  items.map((item, index) => [`${path}.${index}`, item] as const);

function* demoCredentialsIn({ users, organizations }: Seed): Generator<SeedProblem> {
  const tokens = withPaths('users', users).flatMap(([path, user]) => withPaths(`${path}.tokens`, user.tokens));
  const apiKeys = withPaths('organizations', organizations)
    .flatMap(([path, { workspaces }]) => withPaths(`${path}.workspaces`, workspaces))
    .flatMap(([path, workspace]) => withPaths(`${path}.apiKeys`, workspace.apiKeys));
  for (const [path, { credential = '' }] of [...tokens, ...apiKeys]) {
    const problem = `${credential} is a public demo credential, which the strict profile rejects`;
    if (DEMO_CREDENTIALS.includes(credential)) yield { path, problem };
  }
}

function* problemsInWorkspace(
  { dataSource, timezone, profiles, endpoints }: SeedWorkspace,
  inWorkspace: string,
  types: readonly string[],
  rules: ReceiverRules,
): Generator<SeedProblem> {
  const ofSource = dataSourceProblem(dataSource, rules);
  if (ofSource) yield { path: `${inWorkspace}.dataSource.${ofSource.path}`, problem: ofSource.problem };
  const { has } = calendarOf(timezone);
  for (const [path, { activeDays = [] }] of withPaths(`${inWorkspace}.profiles`, profiles)) {
    const at = activeDays.findIndex((day) => !has(day));
    const problem = `${activeDays[at]} does not exist in the time zone ${timezone}`;
    if (at !== -1) yield { path: `${path}.activeDays.${at}`, problem };
  }
  for (const [path, { url, secret, subscribedEvents }] of withPaths(`${inWorkspace}.endpoints`, endpoints)) {
    if (!rules.local && secret !== undefined)
      yield { path: `${path}.secret`, problem: 'the strict profile rejects a secret that is set in the seed' };
    for (const [index, pattern] of subscribedEvents.entries()) {
      const problem = subscriptionProblem(pattern, types);
      if (problem) yield { path: `${path}.subscribedEvents.${index}`, problem };
    }
    const problem = receiverUrlProblem(url, rules);
    if (problem !== undefined) yield { path: `${path}.url`, problem };
  }
}

/** Values in the same group must differ. For example, the slugs of an organization's workspaces form a group. */
type Unique = readonly [group: string, path: string, value: string | undefined];

/** Reports each duplicate value at the path of its later occurrence. */
function* twiceIn(seed: Seed): Generator<SeedProblem> {
  const places = new Map<string, string>();
  for (const [group, path, value] of uniqueIn(seed)) {
    if (value === undefined) continue;
    const key = `${group} ${value}`;
    const first = places.get(key);
    const shown = group === 'credential' ? 'the same credential' : `"${value}"`;
    if (first === undefined) places.set(key, path);
    else yield { path, problem: `${shown} occurs twice, first at "${first}"` };
  }
}

function* uniqueIn({ users, organizations, eventTypes }: Seed): Generator<Unique> {
  for (const [path, { id, email, tokens }] of withPaths('users', users)) {
    yield ['id', `${path}.id`, id];
    yield ['email', `${path}.email`, email];
    yield* uniqueInCredentials(withPaths(`${path}.tokens`, tokens));
  }
  for (const [path, { id, slug, workspaces }] of withPaths('organizations', organizations)) {
    yield ['id', `${path}.id`, id];
    yield ['slug', `${path}.slug`, slug];
    for (const [inWorkspace, workspace] of withPaths(`${path}.workspaces`, workspaces)) {
      yield [`slug in ${path}`, `${inWorkspace}.slug`, workspace.slug];
      yield* uniqueInWorkspace(workspace, inWorkspace);
    }
  }
  for (const [path, { type }] of withPaths('eventTypes', eventTypes)) yield ['event type', `${path}.type`, type];
}

function* uniqueInWorkspace({ id, apiKeys, endpoints, profiles }: SeedWorkspace, path: string): Generator<Unique> {
  yield ['id', `${path}.id`, id];
  yield* uniqueInCredentials(withPaths(`${path}.apiKeys`, apiKeys));
  for (const [inEndpoint, endpoint] of withPaths(`${path}.endpoints`, endpoints)) {
    yield ['id', `${inEndpoint}.id`, endpoint.id];
  }
  // Entries with the same `externalId` are merged into one profile, and the first entry determines the profile's id.
  const known = new Set<string>();
  for (const [inProfile, profile] of withPaths(`${path}.profiles`, profiles)) {
    if (!known.has(profile.externalId)) yield ['id', `${inProfile}.id`, profile.id];
    known.add(profile.externalId);
  }
}

function* uniqueInCredentials(
  credentials: readonly (readonly [path: string, SeedWorkspace['apiKeys'][number]])[],
): Generator<Unique> {
  for (const [path, { id, credential }] of credentials) {
    yield ['id', `${path}.id`, id];
    yield ['credential', `${path}.credential`, credential];
  }
}
