/** Headers of the API, as they are written on the wire. */
export const API_HEADERS = {
  /** Names the workspace on routes that have none in their path, for personal access tokens. */
  workspaceId: 'Service-Workspace-Id',
  /** Stands on every answer; support asks for it. */
  requestId: 'Service-Request-Id',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
} as const;

/** Headers of a delivery (Standard Webhooks). */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
