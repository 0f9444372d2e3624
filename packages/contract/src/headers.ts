/** Headers of the API, spelled as sent. */
export const API_HEADERS = {
  /** Selects the workspace on routes without a workspace in their path. For personal access tokens. */
  workspaceId: 'Service-Workspace-Id',
  /** Sent with every response. Support asks for it. */
  requestId: 'Service-Request-Id',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
  /** Lists input that was ignored. Only the reference server sends it, in the local profile. */
  ignored: 'Service-Ignored',
} as const;

/** Headers of a delivery (Standard Webhooks). */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
