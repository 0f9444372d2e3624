/** `start/start-work.ts` and `http/app.ts` decide what a node does in each role. */
export const NODE_ROLES = ['api', 'deliver', 'evaluate'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
