/** How the description of an endpoint begins that `svc-mock listen` registers, and deletes at its end. */
export const LISTENER_DESCRIPTION = 'Temporary, of svc-mock listen on';
