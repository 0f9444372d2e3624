/**
 * The tenants of the demo seed, without profiles. A workspace with profiles is evaluated every day, and what the statements
 * count would depend on the hour.
 */
export const tenants = {
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
};
