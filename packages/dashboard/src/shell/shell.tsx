import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { outage } from '../data/outage.ts';
import { lastWorkspace } from '../data/preferences.ts';
import { type Tenant, tenantsOf, useOrganizations } from '../data/tenants.ts';
import { workspaceZone } from '../data/zone.ts';
import { NotFound } from '../screens/failure.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazy } from '../ui/lazy.tsx';
import { ActingMenu } from './acting-menu.tsx';
import { Banners } from './banners.tsx';
import { Bell } from './bell.tsx';
import { FaultMark } from './fault-mark.tsx';
import { isPaletteOpen } from './open-dialogs.ts';
import { PreferencesMenu } from './preferences-menu.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { isOnBench, Sidebar } from './sidebar.tsx';
import { TimeBar } from './time-bar.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const Palette = lazy(async () => (await import('./palette.tsx')).Palette);

export function Shell({ workspaceId, children }: { workspaceId: string | undefined; children: ComponentChildren }) {
  const { data } = useOrganizations();
  const { url, path } = useLocation();
  const [isNavOpen, setNavOpen] = useState(false);
  const tenants = data ? tenantsOf(data) : [];
  const tenant: Tenant | undefined = tenants.find(({ workspace }) => workspace.id === workspaceId);
  // A workspace that is missing from the list may still exist, because an organization may have more workspaces than
  // the list contains.
  const isUnknown =
    workspaceId !== undefined && data !== undefined && !tenant && !data.some((one) => one.moreWorkspaces);
  const isBench = isOnBench(path, workspaceId);
  useEffect(() => setNavOpen(false), [url]);
  const main = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const closeNav = useCallback((focused?: EventTarget) => {
    // A click on the toggle closes the drawer itself.
    if (focused === toggle.current) return;
    setNavOpen(false);
    if (!focused) toggle.current?.focus();
  }, []);
  // Show each new screen from its top. After Back or Forward, a list then scrolls to its previous position.
  useLayoutEffect(() => main.current?.scrollTo(0, 0), [path]);
  useEffect(() => {
    if (tenant) lastWorkspace.set(tenant.workspace.id);
    workspaceZone.value = tenant?.workspace.timezone ?? null;
  }, [tenant]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <button
          type="button"
          ref={toggle}
          class="ghost icon-only nav-toggle"
          aria-label="Menu"
          aria-expanded={isNavOpen}
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <Icon name={isNavOpen ? 'cross' : 'menu'} />
        </button>
        <WorkspaceSwitcher tenants={tenants} current={tenant} isLoading={data === undefined} />
        <span class="spacer" />
        {workspaceId && !isUnknown && (
          <>
            <FaultMark />
            <SearchButton />
            <ActingMenu workspaceId={workspaceId} />
            <Bell />
            <Shortcuts workspaceId={workspaceId} />
            {isPaletteOpen.value && <Palette workspaceId={workspaceId} />}
          </>
        )}
        <PreferencesMenu />
      </header>
      <TimeBar />
      <Banners />
      <div class="body">
        {workspaceId ? (
          <Sidebar workspaceId={workspaceId} isOpen={isNavOpen} onClose={closeNav} />
        ) : (
          // Reserve the sidebar's space until the workspaces are loaded.
          data === undefined && <div class="side" />
        )}
        <main id="main" ref={main} tabIndex={-1} class={`${isBench ? 'bench' : ''} ${outage.value ? 'stale' : ''}`}>
          {isBench && <p class="bench-name">Reference server</p>}
          {isUnknown ? <NotFound what="workspace" id={workspaceId} /> : children}
        </main>
      </div>
    </div>
  );
}

function SearchButton() {
  return (
    <button
      type="button"
      class="search-button"
      aria-keyshortcuts="Control+K"
      onClick={() => {
        isPaletteOpen.value = true;
      }}
    >
      <Icon name="search" size={14} />
      <span>Search or paste an id</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}
