/**
 * How the description of an endpoint begins that `svc-mock listen` registers, and deletes at its end: one whose
 * deliveries it forwards, and one whose deliveries it responds to by itself.
 */
export const LISTENER_DESCRIPTIONS = {
  forwards: 'Temporary, of svc-mock listen on',
  responds: 'Temporary receiver, of svc-mock listen on',
} as const;
