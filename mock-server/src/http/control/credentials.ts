import type { CredentialItem } from '@svc/contract/control/resources';
import { createCredential, hashCredential } from '../../domain/credential.ts';
import { deleteCredential, insertCredential, listCredentials } from '../../storage/statements/credentials.ts';
import { findUser } from '../../storage/statements/organizations.ts';
import { findWorkspace } from '../../storage/statements/workspaces.ts';
import { notFound, validation } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';

/** The calls that issue, list and revoke credentials. */
export const credentialHandlers = {
  async createCredential({ services: { clock, ids, random, storage }, body }) {
    const id = ids.next(body.kind === 'api_key' ? 'apiKey' : 'personalAccessToken');
    const credential = createCredential(body.kind, body.test, id, random);
    await storage.write(async (queries) => {
      if (body.kind === 'api_key') {
        if (!(await findWorkspace(queries, body.workspaceId))) throw notFound('workspace', body.workspaceId);
      } else if (!(await findUser(queries, body.userId))) throw notFound('user', body.userId);
      await insertCredential(queries, {
        id,
        kind: body.kind,
        hash: hashCredential(credential),
        name: body.name ?? null,
        test: body.test ? 1 : 0,
        workspace_id: body.kind === 'api_key' ? body.workspaceId : null,
        user_id: body.kind === 'api_key' ? null : body.userId,
        created_at: clock.now(),
      });
    });
    return { id, credential };
  },

  async revokeCredential({ services: { storage }, params: { credentialId } }) {
    if (!(await storage.write((queries) => deleteCredential(queries, credentialId))))
      throw notFound('credential', credentialId);
    return { ok: true };
  },

  async listCredentials({ services, path, query: { workspaceId, userId, ...query } }) {
    const filters: Record<string, string> = {
      ...(workspaceId !== undefined && { workspaceId }),
      ...(userId !== undefined && { userId }),
    };
    const [owner, ...more] = Object.entries(filters);
    if (!owner || more.length > 0) throw validation('Pass either "workspaceId" or "userId".');
    return await respondWithPage(
      { services, path, filters, query },
      (bound, size) =>
        services.storage.read((queries) =>
          listCredentials(
            queries,
            workspaceId === undefined ? { userId: String(userId) } : { workspaceId },
            bound,
            size,
          ),
        ),
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
} satisfies Partial<ControlHandlers>;
