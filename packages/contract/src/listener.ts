/**
 * How the descriptions of temporary endpoints begin. `svc-mock listen` registers these endpoints, and later deletes
 * them. The command forwards the deliveries of a `forwards` endpoint, and itself responds to the deliveries of a
 * `responds` endpoint.
 */
export const LISTENER_DESCRIPTIONS = {
  forwards: 'Temporary endpoint of svc-mock listen on',
  responds: 'Temporary receiver of svc-mock listen on',
} as const;
