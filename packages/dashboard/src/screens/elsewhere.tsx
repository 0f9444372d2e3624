import { useLocation } from 'preact-iso/router';
import { control } from '../data/control.ts';
import { useQuery } from '../data/query.ts';
import { statusOf } from '../data/server-error.ts';
import { tenantsOf, useOrganizations } from '../data/tenants.ts';
import { entryOf } from '../shell/palette-entries.ts';

/** A link to another workspace that has an id, if this workspace does not. */
export function Elsewhere({ id }: { id: string }) {
  const { path } = useLocation();
  const { data: organizations = [] } = useOrganizations();
  const { data: found } = useQuery(`find ${id}`, async () => {
    try {
      return await control('GET', '/find', { query: { id } });
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  });
  const entry = found?.workspaceId && entryOf(found, found.workspaceId);
  if (!entry || entry.href === path) return null;
  const tenant = tenantsOf(organizations).find(({ workspace }) => workspace.id === found.workspaceId);
  return (
    <a class="button" href={entry.href}>
      Open it in {tenant ? `${tenant.organization.name} / ${tenant.workspace.name}` : 'its workspace'}
    </a>
  );
}
