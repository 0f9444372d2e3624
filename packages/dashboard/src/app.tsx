import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { exec, LocationProvider, useLocation } from 'preact-iso/router';
import { dashboardPath } from './base.ts';
import { needsSignIn } from './data/admin-session.ts';
import { resets } from './data/live.ts';
import { href } from './routes.ts';
import { DeliveriesScreen } from './screens/deliveries/list.tsx';
import { DeliveryScreen } from './screens/delivery/screen.tsx';
import { EventScreen } from './screens/events/detail.tsx';
import { EventsScreen } from './screens/events/list.tsx';
import { HomeScreen } from './screens/home.tsx';
import { ApiKeysScreen } from './screens/keys/screen.tsx';
import { NotFound } from './screens/not-found.tsx';
import { OverviewScreen } from './screens/overview/screen.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { EndpointScreen } from './screens/webhooks/detail.tsx';
import { WebhooksScreen } from './screens/webhooks/list.tsx';
import { Shell } from './shell/shell.tsx';
import { LiveRegion } from './ui/announce.tsx';
import { Toasts, toast } from './ui/toast.tsx';

/** What a screen of a workspace is given. `query` holds its filters. */
export interface ScreenProps {
  workspaceId: string;
  id: string;
  query: Record<string, string>;
}

const WORKSPACE_SCREENS: readonly (readonly [path: string, screen: ComponentType<ScreenProps>])[] = [
  ['/w/:workspaceId', OverviewScreen],
  ['/w/:workspaceId/deliveries', DeliveriesScreen],
  ['/w/:workspaceId/deliveries/:id', DeliveryScreen],
  ['/w/:workspaceId/events', EventsScreen],
  ['/w/:workspaceId/events/:id', EventScreen],
  ['/w/:workspaceId/webhooks', WebhooksScreen],
  ['/w/:workspaceId/webhooks/:id', EndpointScreen],
  ['/w/:workspaceId/api-keys', ApiKeysScreen],
];

function Routes() {
  const { path, query, route } = useLocation();
  useEffect(() => {
    const known = resets.peek();
    return resets.subscribe((count) => {
      if (count === known) return;
      route(href(''), true);
      toast('The server was reset. All data was wiped.', { tone: 'bad' });
    });
  }, [route]);
  if (needsSignIn.value) return <SignIn />;
  const rest = `/${path.slice(dashboardPath.length)}`;
  for (const [pattern, Screen] of WORKSPACE_SCREENS) {
    const found = exec(rest, pattern);
    if (!found) continue;
    const { workspaceId = '', id = '' } = found.params as { workspaceId?: string; id?: string };
    return (
      <Shell workspaceId={workspaceId}>
        <Screen key={`${workspaceId} ${id}`} workspaceId={workspaceId} id={id} query={query} />
      </Shell>
    );
  }
  if (rest === '/') return <HomeScreen />;
  return (
    <Shell workspaceId={undefined}>
      <NotFound what="page" />
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
