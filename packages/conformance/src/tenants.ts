/** The ids and credentials of the tenants that exist at the start of every check. */
export const demo = {
  acme: 'org_01DEM0000000000000000ACME0',
  production: 'wsp_01DEM00000000000000PR0D000',
  staging: 'wsp_01DEM0000000000000STAG1NG0',
  globex: 'wsp_01DEM000000000000G10BEX000',
  globexOrganization: 'org_01DEM000000000000000G10BEX',
  productionKey: 'svc_sk_test_demo_acme_production',
  stagingKey: 'svc_sk_test_demo_acme_staging',
  globexKey: 'svc_sk_test_demo_globex_main',
  owner: 'svc_pat_test_demo_acme_owner',
  admin: 'svc_pat_test_demo_acme_admin',
  viewer: 'svc_pat_test_demo_acme_viewer',
  stranger: 'svc_pat_test_demo_globex_owner',
} as const;

const OLIVIA = 'olivia@acme.test';
const ADAM = 'adam@acme.test';
const VERA = 'vera@acme.test';
const GABE = 'gabe@globex.test';

/**
 * The seed for the control API. The seed creates the tenants of {@link demo}. These tenants have no profiles, because
 * an evaluation of profiles at midnight would create an event that the checks do not expect.
 */
export const seed = {
  users: [
    {
      id: 'usr_01DEM0000000000000000WNER0',
      email: OLIVIA,
      name: 'Olivia Owner',
      tokens: [{ credential: demo.owner }],
    },
    {
      id: 'usr_01DEM000000000000000ADM1N0',
      email: ADAM,
      name: 'Adam Admin',
      tokens: [{ credential: demo.admin }],
    },
    {
      id: 'usr_01DEM000000000000000V1EWER',
      email: VERA,
      name: 'Vera Viewer',
      tokens: [{ credential: demo.viewer }],
    },
    {
      id: 'usr_01DEM0000000000000000GAVE0',
      email: GABE,
      name: 'Gabe Globex',
      tokens: [{ credential: demo.stranger }],
    },
  ],
  organizations: [
    {
      id: demo.acme,
      slug: 'acme',
      name: 'Acme',
      members: { [OLIVIA]: 'Owner', [ADAM]: 'Admin', [VERA]: 'Viewer' },
      workspaces: [
        {
          id: demo.production,
          slug: 'production',
          name: 'Production',
          timezone: 'Europe/Berlin',
          weekStartsOn: 1,
          apiKeys: [{ credential: demo.productionKey }],
        },
        {
          id: demo.staging,
          slug: 'staging',
          name: 'Staging',
          overrides: { [ADAM]: 'None', [VERA]: 'Admin' },
          apiKeys: [{ credential: demo.stagingKey }],
        },
      ],
    },
    {
      id: demo.globexOrganization,
      slug: 'globex',
      name: 'Globex',
      members: { [GABE]: 'Owner' },
      workspaces: [{ id: demo.globex, slug: 'main', name: 'Main', apiKeys: [{ credential: demo.globexKey }] }],
    },
  ],
};

export function userOf(token: string): string {
  const found = seed.users.find(({ tokens }) => tokens.some(({ credential }) => credential === token));
  if (!found) throw new TypeError('No user of the tenants has this token.');
  return found.id;
}
