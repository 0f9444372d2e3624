import { ENDPOINTS_PER_WORKSPACE_MAX, PREVIOUS_SECRETS_MAX } from './limits.ts';

/** The conflicts that make an operation fail with 409. The operations table lists the conflicts of each operation. */
export const CONFLICTS = {
  slug: 'The slug is taken within the organization.',
  endpoints: `The workspace has ${ENDPOINTS_PER_WORKSPACE_MAX} endpoints already.`,
  secrets: `The endpoint has ${PREVIOUS_SECRETS_MAX} previous secrets that are still valid.`,
  inactive: 'The endpoint is inactive.',
  deleted: 'The endpoint is deleted.',
} as const;

export type Conflict = keyof typeof CONFLICTS;
