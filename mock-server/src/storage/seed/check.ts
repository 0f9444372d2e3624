import { EVENT_CATALOG } from '@svc/contract';
import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import { dataSourceProblem } from '../../domain/profiles/data-source.ts';
import { subscriptionProblem } from '../../domain/subscription.ts';
import { DEMO_CREDENTIALS } from './demo.ts';
import type { Seed } from './schema.ts';

/** What is wrong with a seed as a whole, or `undefined`: names that lead nowhere, and what the profile does not allow. */
export function seedProblem(seed: Seed, rules: ReceiverRules): string | undefined {
  const demo = rules.local ? undefined : demoCredentialIn(seed);
  if (demo !== undefined) return `everybody knows ${demo}: a demo credential is refused in the strict profile`;
  const emails = new Set(seed.users.map((user) => user.email));
  const types = [...EVENT_CATALOG, ...seed.eventTypes].map((item) => item.type);
  for (const { slug, members, workspaces } of seed.organizations) {
    for (const workspace of workspaces) {
      const where = `workspace ${slug}/${workspace.slug}`;
      for (const email of Object.keys(workspace.overrides)) {
        if (!(email in members)) return `${where} overrides the role of ${email}, who is no member of ${slug}`;
      }
      const sourceProblem = dataSourceProblem(workspace.dataSource, rules);
      if (sourceProblem) return `${where}: dataSource.${sourceProblem.path} ${sourceProblem.problem}`;
      const skipped = skippedDayIn(workspace);
      if (skipped) return `${where}: ${skipped} is a day that ${workspace.timezone} skipped`;
      for (const endpoint of workspace.endpoints) {
        const problem = endpointProblem(endpoint, types, rules);
        if (problem) return `${where}, endpoint ${endpoint.url}: ${problem}`;
      }
    }
    for (const email of Object.keys(members)) {
      if (!emails.has(email)) return `organization ${slug} has ${email} as a member, but there is no such user`;
    }
  }
  return undefined;
}

type SeedWorkspace = Seed['organizations'][number]['workspaces'][number];

function skippedDayIn({ timezone, profiles }: SeedWorkspace): string | undefined {
  const { has } = calendarOf(timezone);
  return profiles.flatMap(({ activeDays }) => activeDays ?? []).find((day) => !has(day));
}

function demoCredentialIn({ users, organizations }: Seed): string | undefined {
  const keys = organizations.flatMap(({ workspaces }) => workspaces.flatMap(({ apiKeys }) => apiKeys));
  return [...users.flatMap(({ tokens }) => tokens), ...keys].find(
    ({ credential }) => credential !== undefined && DEMO_CREDENTIALS.includes(credential),
  )?.credential;
}

function endpointProblem(
  endpoint: Seed['organizations'][number]['workspaces'][number]['endpoints'][number],
  types: readonly string[],
  rules: ReceiverRules,
): string | undefined {
  if (!rules.local && endpoint.secret !== undefined) return 'a pinned secret is refused in the strict profile';
  for (const pattern of endpoint.subscribedEvents) {
    const problem = subscriptionProblem(pattern, types);
    if (problem) return problem;
  }
  return receiverUrlProblem(endpoint.url, rules);
}
