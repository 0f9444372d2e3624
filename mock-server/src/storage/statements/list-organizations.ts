import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';

/**
 * Organizations, newest first, from the primary key. Each has its first workspaces by slug, from their unique index.
 */
export async function listOrganizations(queries: Queries, bound: Bound, limit: number, workspacesMax: number) {
  const organizations = await queries
    .selectFrom('organizations')
    .selectAll()
    .$if(bound.key !== undefined, (query) => query.where('id', idComparison(bound), String(bound.key)))
    .orderBy('id', bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  const workspaces = await together(
    organizations.map(({ id }) =>
      queries
        .selectFrom('workspaces')
        .selectAll()
        .where('organization_id', '=', id)
        .orderBy('slug')
        .limit(workspacesMax + 1)
        .execute(),
    ),
  );
  return organizations.map((organization, index) => ({ organization, workspaces: workspaces[index] ?? [] }));
}
