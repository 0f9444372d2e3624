/**
 * How the descriptions of temporary endpoints begin. `svc-mock listen` registers these endpoints, and later deletes
 * them. With `forwards`, the command forwards the endpoint's deliveries. With `responds`, the command itself responds
 * to the deliveries.
 */
export const LISTENER_DESCRIPTIONS = {
  forwards: 'Temporary endpoint of svc-mock listen on',
  responds: 'Temporary receiver of svc-mock listen on',
} as const;
