import { serverUrl } from '../base.ts';
import type { SnippetPlace } from '../format/snippets.ts';
import { adminSession } from './admin-session.ts';

/** Where the snippets of a workspace lead. */
export const snippetPlace = (workspaceId: string): SnippetPlace => ({
  baseUrl: serverUrl,
  workspaceId,
  hasAdminToken: adminSession.value !== undefined,
});
