import type { CredentialItem } from '@svc/contract/control/resources';
import { listCredentials } from '../../storage/statements/credentials.ts';
import { validation } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { listOf } from './list-of.ts';
import type { ControlHandlers } from './operation.ts';

/** The call that lists credentials. */
export const credentialListHandlers = {
  async listCredentials({ services, path, query: { workspaceId, userId, ...query } }) {
    const filters: Record<string, string> = {
      ...(workspaceId !== undefined && { workspaceId }),
      ...(userId !== undefined && { userId }),
    };
    const [owner, ...more] = Object.entries(filters);
    if (!owner || more.length > 0) throw validation('Pass either "workspaceId" or "userId".');
    return await respondWithPage(
      listOf(services, path, filters, query),
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
