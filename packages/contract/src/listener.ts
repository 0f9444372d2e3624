/**
 * `svc-mock listen` registers temporary endpoints and later deletes them. The description of a temporary endpoint
 * begins with one of these strings: `forwards` if the command forwards the endpoint's deliveries, and `responds` if the
 * command itself responds to the deliveries.
 */
export const LISTENER_DESCRIPTIONS = {
  forwards: 'Temporary endpoint of svc-mock listen on',
  responds: 'Temporary receiver of svc-mock listen on',
} as const;
