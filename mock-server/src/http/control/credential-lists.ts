import { z } from 'zod';
import type { CredentialItem } from '../../control/index.ts';
import { listCredentials } from '../../storage/statements/list-credentials.ts';
import { validation } from '../errors.ts';
import { answerPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';
import { envelope, listOf, page } from './page.ts';

const credential = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string().nullable(),
  test: z.boolean(),
  createdAt: z.string(),
}) satisfies z.ZodType<CredentialItem>;

const readCredentials = controlOperation({
  method: 'GET',
  path: '/_control/credentials',
  summary: 'List the API keys of a workspace, or the personal access tokens of a user',
  description: 'Newest first. The list never contains their text.',
  query: z.object({ workspaceId: z.string().optional(), userId: z.string().optional(), ...page }),
  status: 200,
  answer: envelope(credential),
  async handle({ services, query: { workspaceId, userId, ...query } }) {
    const filters: Record<string, string> = {
      ...(workspaceId !== undefined && { workspaceId }),
      ...(userId !== undefined && { userId }),
    };
    const [owner, ...more] = Object.entries(filters);
    if (!owner || more.length > 0) throw validation('Name either "workspaceId" or "userId".');
    return await answerPage(
      listOf(services, '/_control/credentials', filters, query),
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
});

/** The call that lists credentials. */
export const credentialListOperations = [readCredentials];
