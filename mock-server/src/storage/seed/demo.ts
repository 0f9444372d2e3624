import type { Instant } from '../../domain/instant.ts';
import { addDays, calendarOf } from '../../domain/profiles/calendar.ts';
import { credentialsIn, type IssuedCredential } from './issued-credential.ts';
import type { SeedInput } from './schema.ts';

/** The tenants of a server without a seed. Ids and credentials are fixed, so that the documentation's examples work. */
export const demoSeed = {
  users: [
    {
      id: 'usr_01DEM0000000000000000WNER0',
      email: 'olivia@acme.test',
      name: 'Olivia Owner',
      tokens: [{ name: "Olivia's token (Owner of Acme)", credential: 'svc_pat_test_demo_acme_owner' }],
    },
    {
      id: 'usr_01DEM000000000000000ADM1N0',
      email: 'adam@acme.test',
      name: 'Adam Admin',
      tokens: [{ name: "Adam's token (Admin of Acme, denied in Staging)", credential: 'svc_pat_test_demo_acme_admin' }],
    },
    {
      id: 'usr_01DEM000000000000000V1EWER',
      email: 'vera@acme.test',
      name: 'Vera Viewer',
      tokens: [
        { name: "Vera's token (Viewer of Acme, Admin in Staging)", credential: 'svc_pat_test_demo_acme_viewer' },
      ],
    },
    {
      id: 'usr_01DEM0000000000000000GAVE0',
      email: 'gabe@globex.test',
      name: 'Gabe Globex',
      tokens: [{ name: "Gabe's token (Owner of Globex)", credential: 'svc_pat_test_demo_globex_owner' }],
    },
  ],
  organizations: [
    {
      id: 'org_01DEM0000000000000000ACME0',
      slug: 'acme',
      name: 'Acme',
      members: { 'olivia@acme.test': 'Owner', 'adam@acme.test': 'Admin', 'vera@acme.test': 'Viewer' },
      workspaces: [
        {
          id: 'wsp_01DEM00000000000000PR0D000',
          slug: 'production',
          name: 'Production',
          timezone: 'Europe/Berlin',
          weekStartsOn: 1,
          apiKeys: [{ name: 'Acme Production', credential: 'svc_sk_test_demo_acme_production' }],
        },
        {
          id: 'wsp_01DEM0000000000000STAG1NG0',
          slug: 'staging',
          name: 'Staging',
          overrides: { 'adam@acme.test': 'None', 'vera@acme.test': 'Admin' },
          apiKeys: [{ name: 'Acme Staging', credential: 'svc_sk_test_demo_acme_staging' }],
        },
      ],
    },
    {
      id: 'org_01DEM000000000000000G10BEX',
      slug: 'globex',
      name: 'Globex',
      members: { 'gabe@globex.test': 'Owner' },
      workspaces: [
        {
          id: 'wsp_01DEM000000000000G10BEX000',
          slug: 'main',
          name: 'Main',
          apiKeys: [{ name: 'Globex Main', credential: 'svc_sk_test_demo_globex_main' }],
        },
      ],
    },
  ],
} satisfies SeedInput;

const PROFILES_OF = { id: 'wsp_01DEM00000000000000PR0D000', timezone: 'Europe/Berlin' };

/** Like {@link demoSeed}, but with profiles that cover every state at the time `now`. */
export function demoSeedAt(now: Instant): SeedInput {
  const evaluated = { profiles: demoProfiles(now, PROFILES_OF.timezone), evaluated: true };
  const organizations = demoSeed.organizations.map(({ workspaces, ...organization }) => ({
    ...organization,
    workspaces: workspaces.map((workspace) => ({ ...workspace, ...(workspace.id === PROFILES_OF.id && evaluated) })),
  }));
  return { users: demoSeed.users, organizations };
}

/** Removes all credentials from a seed. So a server that other machines can reach generates its own credentials. */
export const withoutCredentials = (seed: SeedInput): SeedInput =>
  JSON.parse(JSON.stringify(seed, (key, value) => (key === 'credential' ? undefined : value)));

/** The credentials of {@link demoSeed}. They are constants, so no database is needed to find them. */
export const DEMO_ISSUED: readonly IssuedCredential[] = credentialsIn(demoSeed).map(
  ({ userId: _user, ...issued }) => issued,
);

export const DEMO_CREDENTIALS: readonly string[] = DEMO_ISSUED.map(({ credential }) => credential);

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** For each state, how many days ago a person was active. Within a state, the days differ slightly between people. */
const HABITS = {
  new: (person: number) => range(person % 3, 2 + (person % 4), 2),
  // Use the same weekdays in each week, so that no week has fewer active days than the previous week.
  active: (person: number) =>
    range(0, 9).flatMap((week) => [1, 3, 5].slice(0, 1 + (person % 3)).map((day) => week * 7 + day)),
  atRisk: (person: number) => range(15 + person, 60, 3),
  dormant: (person: number) => range(30 + 5 * person, 120, 4),
  churned: (person: number) => range(95 + 10 * person, 300, 6),
};

const PEOPLE: Record<keyof typeof HABITS, string> = {
  new: 'Ada Lovelace, Alan Turing, Grace Hopper, Jürgen Weiß, Αθηνά Παπαδοπούλου, Noor Rahman, Liam Walsh',
  active:
    'Katherine Johnson, Edsger Dijkstra, Barbara Liskov, Donald Knuth, Radia Perlman, Tim Berners, İpek Çağlar, ' +
    '山田 太郎, Frances Allen, Ken Thompson, Margaret Hamilton, Dennis Ritchie, Sophie Wilson, Linus Berg',
  atRisk: 'Annie Easley, John Backus, Karen Jones, Niklaus Weber, Hedy Kiesler, Tony Hoare, Mary Keller',
  dormant: 'Joan Clarke, Claude Shannon, Evelyn Berezin, Vint Kahn, Lynn Conway, Peter Naur',
  churned: 'Charles Babbage, George Boole, Jean Bartik, Kay McNulty, Konrad Zuse, Betty Holberton',
};

const PLANS = ['free', 'team', 'pro'];

function demoProfiles(now: Instant, timezone: string) {
  const today = calendarOf(timezone).dayOf(now);
  return Object.entries(PEOPLE).flatMap(([habit, names]) =>
    names.split(', ').map((name, person) => {
      const days = HABITS[habit as keyof typeof HABITS](person);
      const key = `${habit.toLowerCase()}-${person + 1}`;
      return {
        externalId: `user-${key}`,
        name,
        email: `${key}@customer.test`,
        attributes: { plan: PLANS[person % PLANS.length] },
        activeDays: days.map((before) => addDays(today, -before)),
      };
    }),
  );
}
