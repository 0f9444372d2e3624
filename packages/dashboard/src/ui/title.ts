import { useEffect } from 'preact/hooks';
import { placeName, useOrganizations } from '../data/tenants.ts';

/** Characters that could reverse the rest of the tab's title. */
const DIRECTION = /\p{Bidi_Control}/gu;

export function useTitle(title: string, workspaceId?: string): void {
  const { data } = useOrganizations();
  const place = placeName(data, workspaceId) ?? 'Workspace Lifecycle Service';
  useEffect(() => {
    document.title = `${title} · ${place}`.replace(DIRECTION, '');
  }, [title, place]);
}
