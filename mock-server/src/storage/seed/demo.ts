import type { Instant } from '../../domain/instant.ts';
import { demoProfiles } from './demo-profiles.ts';
import type { SeedInput } from './schema.ts';

/**
 * The tenants of a server that starts without a seed. The ids and credentials are fixed, so that pasted examples work.
 * The credentials are worthless on any other server.
 */
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

/** The demo workspace that has profiles, and the workspace's time zone. */
const PROFILES_OF = { id: 'wsp_01DEM00000000000000PR0D000', timezone: 'Europe/Berlin' };

/** Like {@link demoSeed}, but with forty profiles that cover every state at the time `now`. */
export function demoSeedAt(now: Instant): SeedInput {
  const evaluated = { profiles: demoProfiles(now, PROFILES_OF.timezone), evaluated: true };
  const organizations = demoSeed.organizations.map(({ workspaces, ...organization }) => ({
    ...organization,
    workspaces: workspaces.map((workspace) => ({ ...workspace, ...(workspace.id === PROFILES_OF.id && evaluated) })),
  }));
  return { users: demoSeed.users, organizations };
}

/** Replaces the credentials of a seed with generated credentials, for a server that other machines can reach. */
export function withoutCredentials({ users = [], organizations = [] }: SeedInput): SeedInput {
  const generated = (credentials: { name?: string | undefined }[] = []) => credentials.map(({ name }) => ({ name }));
  return {
    users: users.map((user) => ({ ...user, tokens: generated(user.tokens) })),
    organizations: organizations.map(({ workspaces = [], ...organization }) => ({
      ...organization,
      workspaces: workspaces.map((workspace) => ({ ...workspace, apiKeys: generated(workspace.apiKeys) })),
    })),
  };
}

/** The credentials of the demo tenants, which everyone knows. */
export const DEMO_CREDENTIALS: readonly string[] = [
  ...demoSeed.users.flatMap(({ tokens }) => tokens),
  ...demoSeed.organizations.flatMap(({ workspaces }) => workspaces.flatMap(({ apiKeys }) => apiKeys)),
].map(({ credential }) => credential);
