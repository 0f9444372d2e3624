import { useLocation } from 'preact-iso/router';
import { placeName, useFound, useOrganizations } from '../data/tenants.ts';
import { entryOf } from '../shell/palette-entries.ts';

/** Links to the resource with this id, if the resource is in another workspace. */
export function Elsewhere({ id }: { id: string }) {
  const { path } = useLocation();
  const { data: organizations } = useOrganizations();
  const found = useFound(id);
  const entry = found?.workspaceId && entryOf(found, found.workspaceId);
  if (!entry || entry.href === path) return null;
  return (
    <a class="button" href={entry.href}>
      Open it in {placeName(organizations, found.workspaceId) ?? 'its workspace'}
    </a>
  );
}
