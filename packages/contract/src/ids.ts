/** The prefix of each kind of id. This project defines the last five prefixes. */
export const ID_PREFIXES = {
  organization: 'org_',
  workspace: 'wsp_',
  webhookEndpoint: 'whe_',
  webhookSecret: 'whs_',
  webhookDelivery: 'whd_',
  event: 'evt_',
  user: 'usr_',
  apiKey: 'key_',
  personalAccessToken: 'pat_',
  profile: 'prf_',
  notification: 'ntf_',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** An id of one kind: a prefix, followed by an opaque string. */
export type Id<Kind extends IdKind> = `${(typeof ID_PREFIXES)[Kind]}${string}`;

/**
 * The id of an organization: `org_`, followed by an opaque string.
 *
 * {@includeCode ../../client/test/documented/ids.ts#kept}
 */
export type OrganizationId = Id<'organization'>;
/**
 * The id of a workspace: `wsp_`, followed by an opaque string.
 *
 * {@includeCode ../../client/test/documented/ids.ts#kept}
 */
export type WorkspaceId = Id<'workspace'>;
/**
 * The id of a webhook endpoint: `whe_`, followed by an opaque string.
 *
 * {@includeCode ../../client/test/documented/ids.ts#kept}
 */
export type WebhookEndpointId = Id<'webhookEndpoint'>;
/**
 * The id of a signing secret: `whs_`, followed by an opaque string.
 *
 * {@includeCode ../../client/test/documented/ids.ts#kept}
 */
export type WebhookSecretId = Id<'webhookSecret'>;
/**
 * The id of a delivery: `whd_`, followed by an opaque string.
 *
 * {@includeCode ../../client/test/documented/ids.ts#prefix}
 */
export type WebhookDeliveryId = Id<'webhookDelivery'>;
/**
 * The id of an event: `evt_`, followed by an opaque string.
 *
 * {@includeCode ../../client/test/documented/ids.ts#prefix}
 */
export type EventId = Id<'event'>;
export type UserId = Id<'user'>;
export type CredentialId = Id<'apiKey'> | Id<'personalAccessToken'>;
export type ProfileId = Id<'profile'>;
export type NotificationId = Id<'notification'>;
