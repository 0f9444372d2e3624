import type { Queries } from '../port.ts';
import type { OrganizationTable } from '../schema/tenants.ts';

/** The slug is unique by the table's own constraint, so two nodes cannot take the same one. */
export async function insertOrganization(queries: Queries, organization: OrganizationTable): Promise<void> {
  await queries.insertInto('organizations').values(organization).execute();
}
