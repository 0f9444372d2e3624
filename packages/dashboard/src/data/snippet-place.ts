import { serverUrl } from '../base.ts';
import type { SnippetPlace } from '../format/snippets.ts';
import { adminSession } from './admin-session.ts';

/**
 * The values that the snippets of a workspace contain: the server, the workspace, and whether there is an admin token.
 */
export const snippetPlace = (workspaceId: string): SnippetPlace => ({
  baseUrl: serverUrl,
  workspaceId,
  hasAdminToken: adminSession.value !== undefined,
});
