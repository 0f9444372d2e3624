export const NODE_ROLES = ['api', 'deliver', 'evaluate'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
