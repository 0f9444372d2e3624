import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { latestTenant, useOrganizations } from '../data/tenants.ts';
import { inWorkspace } from '../routes.ts';
import { Shell } from '../shell/shell.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Failure } from './failure.tsx';

const SetUp = lazy(async () => (await import('./set-up.tsx')).SetUp);

export function HomeScreen() {
  const { route } = useLocation();
  const { data, error } = useOrganizations();
  const known = data && latestTenant(data);
  const target = known && inWorkspace(known.workspace.id);
  useEffect(() => {
    if (target) route(target, true);
  }, [target, route]);
  if (error) return <Shell workspaceId={undefined}>{<Failure error={error} what="page" />}</Shell>;
  return <Shell workspaceId={undefined}>{data && !target ? <SetUp organizations={data} /> : null}</Shell>;
}
