import { serverUrl } from '../base.ts';
import type { SnippetPlace } from '../format/snippets.ts';
import { adminSession } from './admin-session.ts';

export const snippetPlace = (workspaceId: string): SnippetPlace => ({
  baseUrl: serverUrl,
  workspaceId,
  hasAdminToken: adminSession.value !== undefined,
});
