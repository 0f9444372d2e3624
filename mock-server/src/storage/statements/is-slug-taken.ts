import type { Queries } from '../port.ts';

/** Whether an organization has this slug. With `organizationId`: whether one of its workspaces has it. */
export async function isSlugTaken(queries: Queries, slug: string, organizationId?: string): Promise<boolean> {
  const row =
    organizationId === undefined
      ? await queries.selectFrom('organizations').select('id').where('slug', '=', slug).executeTakeFirst()
      : await queries
          .selectFrom('workspaces')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('slug', '=', slug)
          .executeTakeFirst();
  return row !== undefined;
}
