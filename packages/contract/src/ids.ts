/** The prefix of each kind of identifier (service document, "Resources and their fields"; the last five are this project's). */
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

/** An identifier of one kind: its prefix and an opaque rest. */
export type Id<Kind extends IdKind> = `${(typeof ID_PREFIXES)[Kind]}${string}`;

export type OrganizationId = Id<'organization'>;
export type WorkspaceId = Id<'workspace'>;
export type WebhookEndpointId = Id<'webhookEndpoint'>;
export type WebhookSecretId = Id<'webhookSecret'>;
export type WebhookDeliveryId = Id<'webhookDelivery'>;
export type EventId = Id<'event'>;
export type UserId = Id<'user'>;
export type CredentialId = Id<'apiKey'> | Id<'personalAccessToken'>;
export type ProfileId = Id<'profile'>;
export type NotificationId = Id<'notification'>;
