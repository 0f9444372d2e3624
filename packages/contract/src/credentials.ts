/** The two kinds of credential. The prefix shows the kind. */
export const CREDENTIAL_KINDS = ['api_key', 'personal_access_token'] as const;

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** The prefixes of credentials. Test credentials have a longer prefix than live credentials. */
export const CREDENTIAL_PREFIXES = {
  api_key: { live: 'svc_sk_', test: 'svc_sk_test_' },
  personal_access_token: { live: 'svc_pat_', test: 'svc_pat_test_' },
} as const satisfies Record<CredentialKind, { live: string; test: string }>;

/** The prefix of a signing secret. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Placeholders for credentials in the samples of the OpenAPI document. */
export const SAMPLE_CREDENTIALS = { api_key: 'svc_sk_…', personal_access_token: 'svc_pat_…' } as const satisfies Record<
  CredentialKind,
  string
>;
