/** The parts of the service that a node can run: the API, the delivery engine, and the evaluation of the lifecycle. */
export const NODE_ROLES = ['api', 'deliver', 'evaluate'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
