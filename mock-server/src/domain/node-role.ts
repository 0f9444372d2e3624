/** The parts of the service that a node can run: the API, the delivery engine, and lifecycle evaluations. */
export const NODE_ROLES = ['api', 'deliver', 'evaluate'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
