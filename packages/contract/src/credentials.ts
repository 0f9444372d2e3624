/** The two kinds of credential (service document, "Authentication"). The prefix tells which one a text is. */
export const CREDENTIAL_KINDS = ['api_key', 'personal_access_token'] as const;

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** What a credential's text begins with; test credentials carry the longer prefix. */
export const CREDENTIAL_PREFIXES = {
  api_key: { live: 'svc_sk_', test: 'svc_sk_test_' },
  personal_access_token: { live: 'svc_pat_', test: 'svc_pat_test_' },
} as const satisfies Record<CredentialKind, { live: string; test: string }>;

/** What a signing secret's text begins with (service document, "Webhook secret"). */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Stands for a credential of each kind in the samples of the OpenAPI document. */
export const SAMPLE_CREDENTIALS = { api_key: 'svc_sk_…', personal_access_token: 'svc_pat_…' } as const satisfies Record<
  CredentialKind,
  string
>;
