import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { exec, LocationProvider, useLocation } from 'preact-iso/router';
import { dashboardPath } from './base.ts';
import { needsSignIn } from './data/admin-session.ts';
import { resets } from './data/live.ts';
import { latestTenant, useOrganizations } from './data/tenants.ts';
import { href } from './routes.ts';
import type { ScreenProps } from './screen-props.ts';
import { DeliveriesScreen } from './screens/deliveries/list.tsx';
import { NotFound } from './screens/failure.tsx';
import { HomeScreen } from './screens/home.tsx';
import { OverviewScreen } from './screens/overview/screen.tsx';
import { Shell } from './shell/shell.tsx';
import { LiveRegion } from './ui/announce.tsx';
import { lazy } from './ui/lazy.tsx';
import { Toasts, toast } from './ui/toast.tsx';

/** Returns a component that loads the code of its screen when the screen is first shown. */
const screen = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(load, <div class="screen" aria-busy="true" />);

const SignIn = screen(async () => (await import('./screens/sign-in.tsx')).SignIn);

const SCREENS: readonly (readonly [path: string, screen: ComponentType<ScreenProps>])[] = [
  ['/w/:workspaceId', OverviewScreen],
  ['/w/:workspaceId/deliveries', DeliveriesScreen],
  [
    '/w/:workspaceId/deliveries/:id',
    screen(async () => (await import('./screens/delivery/screen.tsx')).DeliveryScreen),
  ],
  ['/w/:workspaceId/events', screen(async () => (await import('./screens/events/list.tsx')).EventsScreen)],
  ['/w/:workspaceId/events/:id', screen(async () => (await import('./screens/events/detail.tsx')).EventScreen)],
  ['/w/:workspaceId/profiles', screen(async () => (await import('./screens/profiles/list.tsx')).ProfilesScreen)],
  ['/w/:workspaceId/profiles/:id', screen(async () => (await import('./screens/profiles/detail.tsx')).ProfileScreen)],
  ['/w/:workspaceId/lifecycle', screen(async () => (await import('./screens/lifecycle/screen.tsx')).LifecycleScreen)],
  ['/w/:workspaceId/webhooks', screen(async () => (await import('./screens/webhooks/list.tsx')).WebhooksScreen)],
  ['/w/:workspaceId/webhooks/:id', screen(async () => (await import('./screens/webhooks/detail.tsx')).EndpointScreen)],
  ['/w/:workspaceId/api-keys', screen(async () => (await import('./screens/keys/screen.tsx')).ApiKeysScreen)],
  ['/w/:workspaceId/event-types', screen(async () => (await import('./screens/types/screen.tsx')).EventTypesScreen)],
  ['/w/:workspaceId/requests', screen(async () => (await import('./screens/requests/screen.tsx')).RequestsScreen)],
  ['/w/:workspaceId/settings', screen(async () => (await import('./screens/settings/screen.tsx')).SettingsScreen)],
  ['/w/:workspaceId/members', screen(async () => (await import('./screens/members/screen.tsx')).MembersScreen)],
  ['/account/:id?', screen(async () => (await import('./screens/account/screen.tsx')).AccountScreen)],
  ['/server', screen(async () => (await import('./screens/server/screen.tsx')).ServerScreen)],
  ['/server/faults', screen(async () => (await import('./screens/faults/screen.tsx')).FaultsScreen)],
];

function Routes() {
  const { path, query, route } = useLocation();
  useEffect(() => {
    const known = resets.peek();
    return resets.subscribe((count) => {
      if (count === known) return;
      route(href(''), true);
      toast('The server was reset or restored. All data was replaced.', { tone: 'bad' });
    });
  }, [route]);
  if (needsSignIn.value) return <SignIn />;
  const rest = `/${path.slice(dashboardPath.length)}`;
  try {
    for (const [pattern, Screen] of SCREENS) {
      const found = exec(rest, pattern);
      if (!found) continue;
      const { workspaceId, id = '' } = found.params as { workspaceId?: string; id?: string };
      if (workspaceId === undefined) return <Anywhere screen={Screen} id={id} query={query} />;
      return (
        <Shell workspaceId={workspaceId}>
          <Screen key={`${workspaceId} ${id}`} workspaceId={workspaceId} id={id} query={query} />
        </Shell>
      );
    }
  } catch {
    // A path that cannot be decoded, such as `/w/%`, leads to no screen.
  }
  if (rest === '/') return <HomeScreen />;
  return (
    <Shell workspaceId={undefined}>
      <NotFound what="page" />
    </Shell>
  );
}

/** Shows a screen that belongs to no workspace. The shell around the screen keeps the previous workspace. */
function Anywhere({
  screen: Screen,
  id,
  query,
}: { screen: ComponentType<ScreenProps> } & Omit<ScreenProps, 'workspaceId'>) {
  const { data } = useOrganizations();
  const workspaceId = data && (latestTenant(data)?.workspace.id ?? '');
  return (
    <Shell workspaceId={workspaceId || undefined}>
      {workspaceId !== undefined && <Screen key={id} workspaceId={workspaceId} id={id} query={query} />}
    </Shell>
  );
}

export function App() {
  return (
    <LocationProvider scope={dashboardPath}>
      <Routes />
      <Toasts />
      <LiveRegion />
    </LocationProvider>
  );
}
