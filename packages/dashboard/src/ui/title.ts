import { useEffect } from 'preact/hooks';
import { placeName, useOrganizations } from '../data/tenants.ts';

/** Sets the page's title to the title of the screen. */
export function useTitle(title: string, workspaceId?: string): void {
  const { data } = useOrganizations();
  const place = placeName(data, workspaceId) ?? 'Workspace Lifecycle Service';
  useEffect(() => {
    document.title = `${title} · ${place}`;
  }, [title, place]);
}
