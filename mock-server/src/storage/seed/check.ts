import { EVENT_CATALOG } from '@svc/contract';
import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import { dataSourceProblem } from '../../domain/profiles/data-source.ts';
import { subscriptionProblem } from '../../domain/subscription.ts';
import { DEMO_CREDENTIALS } from './demo.ts';
import type { Seed, SeedProblem, SeedWorkspace } from './schema.ts';
import { twiceIn } from './twice.ts';

/**
 * Returns the first mistake that can only be found by looking at the whole seed, or `undefined`. Such mistakes are
 * duplicate values, names that refer to nothing, and values that the server's profile does not allow.
 */
export function seedProblem(seed: Seed, rules: ReceiverRules): SeedProblem | undefined {
  const [first] = problemsIn(seed, rules);
  return first;
}

function* problemsIn(seed: Seed, rules: ReceiverRules): Generator<SeedProblem> {
  if (!rules.local) yield* demoCredentialsIn(seed);
  const twice = twiceIn(seed);
  if (twice) yield twice;
  const emails = new Set(seed.users.map((user) => user.email));
  const types = [...EVENT_CATALOG, ...seed.eventTypes].map((item) => item.type);
  for (const [index, { slug, members, workspaces }] of seed.organizations.entries()) {
    for (const email of Object.keys(members)) {
      const path = `organizations.${index}.members.${email}`;
      if (!emails.has(email)) yield { path, problem: 'there is no such user' };
    }
    for (const [number, workspace] of workspaces.entries()) {
      const inWorkspace = `organizations.${index}.workspaces.${number}`;
      for (const email of Object.keys(workspace.overrides)) {
        const problem = `the user is not a member of the organization ${slug}`;
        if (!(email in members)) yield { path: `${inWorkspace}.overrides.${email}`, problem };
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

function* demoCredentialsAmong(
  credentials: readonly { credential?: string | undefined }[],
  path: string,
): Generator<SeedProblem> {
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
    const problem = `${activeDays[at]} is a day that ${timezone} skipped`;
    if (at !== -1) yield { path: `profiles.${index}.activeDays.${at}`, problem };
  }
  for (const [index, endpoint] of endpoints.entries()) {
    const path = `endpoints.${index}`;
    if (!rules.local && endpoint.secret !== undefined)
      yield { path: `${path}.secret`, problem: 'the strict profile rejects pinned secrets' };
    for (const [place, pattern] of endpoint.subscribedEvents.entries()) {
      const problem = subscriptionProblem(pattern, types);
      if (problem) yield { path: `${path}.subscribedEvents.${place}`, problem };
    }
    const problem = receiverUrlProblem(endpoint.url, rules);
    if (problem !== undefined) yield { path: `${path}.url`, problem };
  }
}
