import type { Queries } from '../port.ts';
import type { OrganizationTable } from '../schema/tenants.ts';

/** The table's constraint keeps the slug unique, so two nodes cannot take the same one. */
export async function insertOrganization(queries: Queries, organization: OrganizationTable): Promise<void> {
  await queries.insertInto('organizations').values(organization).execute();
}
