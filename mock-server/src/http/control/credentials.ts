import type { CredentialItem } from '@svc/contract/control/resources';
import { createCredential, hashCredential } from '../../domain/credential.ts';
import { insertAll } from '../../storage/many-rows.ts';
import { deleteCredential, listCredentials } from '../../storage/statements/credentials.ts';
import { notFound, unauthenticated, validation } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { toTimestamp } from '../present.ts';
import type { Services } from '../services.ts';
import { existingUser, existingWorkspace } from './existing.ts';
import type { ControlHandlers } from './operation.ts';

/** Matches a URL to which the server can append paths. */
const BASE_URL = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

export const credentialHandlers = {
  async createCredential({ services: { clock, ids, random, storage }, body }) {
    const id = ids.next(body.kind === 'api_key' ? 'apiKey' : 'personalAccessToken');
    const credential = createCredential(body.kind, body.test, id, random);
    await storage.write(async (queries) => {
      if (body.kind === 'api_key') await existingWorkspace(queries, body.workspaceId);
      else await existingUser(queries, body.userId);
      const row = {
        id,
        kind: body.kind,
        hash: hashCredential(credential),
        name: body.name ?? null,
        test: body.test ? 1 : 0,
        workspace_id: body.kind === 'api_key' ? body.workspaceId : null,
        user_id: body.kind === 'api_key' ? null : body.userId,
        created_at: clock.now(),
      };
      await insertAll(queries, 'credentials', [row]);
    });
    return { id, credential };
  },

  async revokeCredential({ services: { storage }, params: { credentialId } }) {
    if (!(await storage.write((queries) => deleteCredential(queries, credentialId))))
      throw notFound('credential', credentialId);
    return { ok: true };
  },

  async listCredentials(request) {
    const { workspaceId, userId } = request.query;
    if ((workspaceId === undefined) === (userId === undefined)) {
      throw validation('Pass either "workspaceId" or "userId".');
    }
    const owner = workspaceId === undefined ? { userId: String(userId) } : { workspaceId };
    return await respondWithPage(
      request,
      (queries, bound, limit) => listCredentials(queries, owner, bound, limit),
      (row) => row.id,
      (row): CredentialItem => ({
        id: row.id,
        kind: row.kind,
        name: row.name,
        test: row.test === 1,
        createdAt: toTimestamp(row.created_at),
      }),
    );
  },

  async createSession({ services, body, session }) {
    if ('admin' in body) {
      if (services.adminToken === undefined)
        throw validation('The server has no admin token, so the control API does not require a session.');
      // If a session were accepted instead of the token, an admin session could be renewed forever.
      if (session) throw unauthenticated('Send the admin token to get an admin session.');
    }
    const baseUrl = 'baseUrl' in body ? checkBaseUrl(services, body.baseUrl) : '';
    const { baseUrl: _url, ...subject } = { baseUrl, ...body };
    await services.storage.read(async (queries) => {
      if ('userId' in body) await existingUser(queries, body.userId);
      if ('workspaceId' in body) await existingWorkspace(queries, body.workspaceId);
    });
    const { credential, expiresAt } = await services.sessions.issue(subject, baseUrl);
    return { credential, expiresAt: toTimestamp(expiresAt) };
  },
} satisfies Partial<ControlHandlers>;

function checkBaseUrl({ isOwnHost }: Pick<Services, 'isOwnHost'>, text: string): string {
  const isOwn = BASE_URL.test(text) && URL.canParse(text) && isOwnHost(new URL(text).host);
  if (!isOwn) throw validation('"baseUrl" must be a URL of this server, without user info, query or fragment.');
  return text.replace(/\/+$/, '');
}
