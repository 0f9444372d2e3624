/** The headers of the API, spelled as they are sent. */
export const API_HEADERS = {
  /** Selects the workspace of a request with a personal access token, if the path contains no workspace. */
  workspaceId: 'Service-Workspace-Id',
  /** Contains the id of the request. Every response has this header. When you contact support, include this id. */
  requestId: 'Service-Request-Id',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
  /**
   * Lists the unknown fields and parameters of the request. Only the reference server sends this header, in the local
   * profile.
   */
  ignored: 'Service-Ignored',
} as const;

/** The headers of a delivery (Standard Webhooks). */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
