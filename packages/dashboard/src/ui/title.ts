import { useEffect } from 'preact/hooks';
import { tenantsOf, useOrganizations } from '../data/tenants.ts';

/** Sets the page's title to that of the screen. */
export function useTitle(title: string, workspaceId?: string): void {
  const { data } = useOrganizations();
  const tenant = data && tenantsOf(data).find(({ workspace }) => workspace.id === workspaceId);
  const place = tenant ? `${tenant.organization.name} / ${tenant.workspace.name}` : 'Workspace Lifecycle Service';
  useEffect(() => {
    document.title = `${title} · ${place}`;
  }, [title, place]);
}
