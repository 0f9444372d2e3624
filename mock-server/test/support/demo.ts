/** The tenants and credentials of the built-in demo seed, under the names that tests use. */
export const demo = {
  production: { id: 'wsp_01DEM00000000000000PR0D000', key: 'svc_sk_test_demo_acme_production' },
  staging: { id: 'wsp_01DEM0000000000000STAG1NG0', key: 'svc_sk_test_demo_acme_staging' },
  globex: { id: 'wsp_01DEM000000000000G10BEX000', key: 'svc_sk_test_demo_globex_main' },
  acmeId: 'org_01DEM0000000000000000ACME0',
  owner: 'svc_pat_test_demo_acme_owner',
  /** Denied in Staging. */
  admin: 'svc_pat_test_demo_acme_admin',
  /** Admin in Staging. */
  viewer: 'svc_pat_test_demo_acme_viewer',
  globexOwner: 'svc_pat_test_demo_globex_owner',
} as const;
