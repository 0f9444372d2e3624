/**
 * The beginnings of the descriptions of the temporary endpoints that `svc-mock listen` registers and later deletes: one
 * for an endpoint whose deliveries it forwards, and one for an endpoint whose deliveries it responds to itself.
 */
export const LISTENER_DESCRIPTIONS = {
  forwards: 'Temporary, of svc-mock listen on',
  responds: 'Temporary receiver, of svc-mock listen on',
} as const;
