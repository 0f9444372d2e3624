/**
 * The beginning of the description of an endpoint that `svc-mock listen` registers, and deletes when it ends: for one
 * whose deliveries it forwards, and for one whose deliveries it responds to itself.
 */
export const LISTENER_DESCRIPTIONS = {
  forwards: 'Temporary, of svc-mock listen on',
  responds: 'Temporary receiver, of svc-mock listen on',
} as const;
