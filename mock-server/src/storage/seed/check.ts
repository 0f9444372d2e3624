import { EVENT_CATALOG } from '@svc/contract';
import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import { dataSourceProblem } from '../../domain/profiles/data-source.ts';
import { subscriptionProblem } from '../../domain/subscription-problem.ts';
import { DEMO_CREDENTIALS } from './demo.ts';
import type { Seed, SeedPath, SeedProblem, SeedWorkspace } from './schema.ts';

/** A part of the seed, with its path. */
type Placed<Item> = readonly [path: SeedPath, item: Item];

/** Finds the mistakes that the schema cannot find, such as a duplicate value or an unknown user. */
export function* seedProblems(seed: Seed, rules: ReceiverRules): Generator<SeedProblem> {
  const users = within([[[], seed]], 'users');
  const organizations = within([[[], seed]], 'organizations');
  const eventTypes = within([[[], seed]], 'eventTypes');
  const workspaces = within(organizations, 'workspaces');
  const credentials = [...within(users, 'tokens'), ...within(workspaces, 'apiKeys')];
  for (const [path, { credential = '' }] of rules.local ? [] : credentials) {
    const problem = `${credential} is a public demo credential, which the strict profile rejects`;
    if (DEMO_CREDENTIALS.includes(credential)) yield { path, problem };
  }
  const profiles = workspaces.flatMap(firstProfiles);
  const withIds = [...users, ...organizations, ...workspaces, ...within(workspaces, 'endpoints'), ...profiles];
  yield* twiceIn('id', [...withIds, ...credentials]);
  yield* twiceIn('email', users);
  yield* twiceIn('slug', organizations);
  for (const organization of organizations) yield* twiceIn('slug', within([organization], 'workspaces'));
  yield* twiceIn('credential', credentials);
  yield* twiceIn('type', eventTypes);
  for (const [path, { type }] of eventTypes) {
    const problem = `${type} is already in the catalog of event types`;
    if (EVENT_CATALOG.some((item) => item.type === type)) yield { path: [...path, 'type'], problem };
  }
  const emails = new Set(seed.users.map((user) => user.email));
  for (const [path, organization] of organizations) {
    const { slug, members } = organization;
    for (const email of Object.keys(members)) {
      if (!emails.has(email)) yield { path: [...path, 'members', email], problem: 'there is no such user' };
    }
    for (const [inWorkspace, { overrides }] of within([[path, organization]], 'workspaces')) {
      const problem = `the user is not a member of the organization ${slug}`;
      for (const email of Object.keys(overrides)) {
        if (!Object.hasOwn(members, email)) yield { path: [...inWorkspace, 'overrides', email], problem };
      }
    }
  }
  const types = [...EVENT_CATALOG, ...seed.eventTypes].map((item) => item.type);
  for (const workspace of workspaces) yield* problemsInWorkspace(workspace, types, rules);
}

/** Collects the items from the list `name` in each of the parts, and returns each item with its path. */
const within = <Name extends string, Part extends { readonly [Key in Name]: readonly unknown[] }>(
  parts: readonly Placed<Part>[],
  name: Name,
) =>
  parts.flatMap(([path, part]) =>
    part[name].map((item, index): Placed<Part[Name][number]> => [[...path, name, index], item]),
  );

/** Entries with the same `externalId` are merged into one profile, and the first entry determines the profile's id. */
function firstProfiles(workspace: Placed<SeedWorkspace>) {
  const known = new Set<string>();
  return within([workspace], 'profiles').filter(
    ([, { externalId }]) => !known.has(externalId) && known.add(externalId),
  );
}

/** Reports each item that has the same value in `field` as an earlier item. */
function* twiceIn<Field extends string>(
  field: Field,
  items: readonly Placed<{ readonly [Key in Field]?: string | undefined }>[],
): Generator<SeedProblem> {
  const places = new Map<string, SeedPath>();
  for (const [place, { [field]: value }] of items) {
    if (value === undefined) continue;
    const path = [...place, field];
    const first = places.get(value);
    const shown = field === 'credential' ? 'the same credential' : `"${value}"`;
    if (first === undefined) places.set(value, path);
    else yield { path, problem: `${shown} occurs twice, first at "${first.join('.')}"` };
  }
}

function* problemsInWorkspace(
  workspace: Placed<SeedWorkspace>,
  types: readonly string[],
  rules: ReceiverRules,
): Generator<SeedProblem> {
  const [inWorkspace, { dataSource, timezone }] = workspace;
  const ofSource = dataSourceProblem(dataSource, rules);
  if (ofSource) yield { path: [...inWorkspace, 'dataSource', ofSource.path], problem: ofSource.problem };
  const { has } = calendarOf(timezone);
  for (const [path, { activeDays = [] }] of within([workspace], 'profiles')) {
    const at = activeDays.findIndex((day) => !has(day));
    const problem = `${activeDays[at]} does not exist in the time zone ${timezone}`;
    if (at !== -1) yield { path: [...path, 'activeDays', at], problem };
  }
  for (const [path, { url, secret, subscribedEvents }] of within([workspace], 'endpoints')) {
    if (!rules.local && secret !== undefined)
      yield { path: [...path, 'secret'], problem: 'the strict profile rejects a secret that is set in the seed' };
    for (const [index, pattern] of subscribedEvents.entries()) {
      const problem = subscriptionProblem(pattern, types);
      if (problem) yield { path: [...path, 'subscribedEvents', index], problem };
    }
    const problem = receiverUrlProblem(url, rules);
    if (problem !== undefined) yield { path: [...path, 'url'], problem };
  }
}
