import { EVENT_CATALOG } from '@svc/contract';
import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import { dataSourceProblem } from '../../domain/profiles/data-source.ts';
import { subscriptionProblem } from '../../domain/subscription.ts';
import { DEMO_CREDENTIALS } from './demo.ts';
import type { Seed, SeedEndpoint, SeedProblem, SeedWorkspace } from './schema.ts';
import { twiceIn } from './twice.ts';

/**
 * The first mistake that concerns the seed as a whole, or `undefined`: duplicate values, names that refer to nothing,
 * and values that the profile does not allow.
 */
export function seedProblem(seed: Seed, rules: ReceiverRules): SeedProblem | undefined {
  const demo = rules.local ? undefined : demoCredentialIn(seed);
  if (demo) return demo;
  const twice = twiceIn(seed);
  if (twice) return twice;
  const emails = new Set(seed.users.map((user) => user.email));
  const types = [...EVENT_CATALOG, ...seed.eventTypes].map((item) => item.type);
  for (const [index, { slug, members, workspaces }] of seed.organizations.entries()) {
    const inOrganization = `organizations.${index}`;
    for (const email of Object.keys(members)) {
      if (!emails.has(email)) return { path: `${inOrganization}.members.${email}`, problem: 'there is no such user' };
    }
    for (const [number, workspace] of workspaces.entries()) {
      const path = `${inOrganization}.workspaces.${number}`;
      for (const email of Object.keys(workspace.overrides)) {
        const problem = `the user is not a member of the organization ${slug}`;
        if (!(email in members)) return { path: `${path}.overrides.${email}`, problem };
      }
      const wrong = dataSourceProblem(workspace.dataSource, rules);
      if (wrong) return { path: `${path}.dataSource.${wrong.path}`, problem: wrong.problem };
      const skipped = skippedDayIn(workspace);
      if (skipped) return { path: `${path}.${skipped.path}`, problem: skipped.problem };
      for (const [place, endpoint] of workspace.endpoints.entries()) {
        const problem = endpointProblem(endpoint, types, rules);
        if (problem) return { path: `${path}.endpoints.${place}.${problem.path}`, problem: problem.problem };
      }
    }
  }
  return undefined;
}

function skippedDayIn({ timezone, profiles }: SeedWorkspace): SeedProblem | undefined {
  const { has } = calendarOf(timezone);
  for (const [index, { activeDays = [] }] of profiles.entries()) {
    const at = activeDays.findIndex((day) => !has(day));
    if (at !== -1) {
      const problem = `${activeDays[at]} is a day that ${timezone} skipped`;
      return { path: `profiles.${index}.activeDays.${at}`, problem };
    }
  }
  return undefined;
}

function demoCredentialIn({ users, organizations }: Seed): SeedProblem | undefined {
  const tokens = users.flatMap((user, index) =>
    user.tokens.map((token, at) => ({ ...token, path: `users.${index}.tokens.${at}` })),
  );
  const keys = organizations.flatMap(({ workspaces }, index) =>
    workspaces.flatMap(({ apiKeys }, number) =>
      apiKeys.map((key, at) => ({ ...key, path: `organizations.${index}.workspaces.${number}.apiKeys.${at}` })),
    ),
  );
  const found = [...tokens, ...keys].find(
    ({ credential }) => credential !== undefined && DEMO_CREDENTIALS.includes(credential),
  );
  return (
    found && {
      path: found.path,
      problem: `everybody knows ${found.credential}: the strict profile rejects demo credentials`,
    }
  );
}

function endpointProblem(
  endpoint: SeedEndpoint,
  types: readonly string[],
  rules: ReceiverRules,
): SeedProblem | undefined {
  if (!rules.local && endpoint.secret !== undefined) {
    return { path: 'secret', problem: 'the strict profile rejects pinned secrets' };
  }
  for (const [index, pattern] of endpoint.subscribedEvents.entries()) {
    const problem = subscriptionProblem(pattern, types);
    if (problem) return { path: `subscribedEvents.${index}`, problem };
  }
  const problem = receiverUrlProblem(endpoint.url, rules);
  return problem === undefined ? undefined : { path: 'url', problem };
}
