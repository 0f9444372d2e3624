import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { dashboardPath } from '../base.ts';
import { clientOf } from '../data/acting.ts';
import { control } from '../data/control.ts';
import { tenantsOf, useOrganizations, useUsers } from '../data/tenants.ts';
import { endpointUrl, inWorkspace, profileUrl } from '../routes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { isPaletteOpen } from './open-dialogs.ts';
import { actionsMatching, type PaletteAction } from './palette-actions.ts';
import { entryOf, isIdLike, type PaletteEntry, screensMatching } from './palette-entries.ts';

const SHOWN_MAX = 12;
/** The time between the last key press and the start of a search. */
const SEARCH_DELAY_MS = 150;

export function Palette({ workspaceId }: { workspaceId: string }) {
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  useEffect(() => setCurrent(0), [text, workspaceId]);
  const { data: organizations = [] } = useOrganizations();
  const { data: users = [] } = useUsers();
  const { route } = useLocation();
  const list = useId();
  const found = useSearch(text.trim(), workspaceId);
  const workspaces = tenantsOf(organizations)
    .map(({ organization, workspace }) => ({
      text: `${organization.name} / ${workspace.name}`,
      note: 'workspace',
      href: inWorkspace(workspace.id),
    }))
    .filter((entry) => text.trim() !== '' && entry.text.toLowerCase().includes(text.trim().toLowerCase()));
  const actions = actionsMatching(text, workspaceId, users);
  const entries = [...(found ?? []), ...screensMatching(text, workspaceId), ...workspaces, ...actions].slice(
    0,
    SHOWN_MAX,
  );
  const close = () => {
    isPaletteOpen.value = false;
  };
  const open = (entry: PaletteEntry | PaletteAction | undefined) => {
    if (!entry) return;
    close();
    if ('run' in entry) return entry.run();
    // The API reference is a separate page, so the router cannot open it.
    if (entry.href.startsWith(dashboardPath)) route(entry.href);
    else location.assign(entry.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setCurrent(Math.min(current + 1, entries.length - 1));
    else if (event.key === 'ArrowUp') setCurrent(Math.max(current - 1, 0));
    else if (event.key === 'Enter') open(entries[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search or paste an id" onClose={close}>
      <input
        class="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries[current] ? `${list}-${current}` : undefined}
        aria-label="Search or paste an id"
        placeholder="whd_… or a screen, an action, a URL"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" role="listbox" id={list} aria-label="Results">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
          <div
            key={`${entry.note} ${entry.text}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === current}
            class="palette-entry"
            onClick={() => open(entry)}
          >
            <span>{entry.text}</span>
            <span class="quiet">{entry.note}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && found && <p class="quiet palette-none">Nothing found.</p>}
    </Dialog>
  );
}

/** Finds the entries for a text, which may be an id. Returns `undefined` until the search is done. */
function useSearch(text: string, workspaceId: string): readonly PaletteEntry[] | undefined {
  const [found, setFound] = useState<readonly PaletteEntry[]>();
  useEffect(() => {
    let isOver = false;
    setFound(undefined);
    const timer = setTimeout(async () => {
      const entries = await search(text, workspaceId).catch(() => []);
      if (!isOver) setFound(entries);
    }, SEARCH_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, workspaceId]);
  return found;
}

async function search(text: string, workspaceId: string): Promise<PaletteEntry[]> {
  if (text === '') return [];
  if (isIdLike(text)) {
    const found = await control('GET', '/find', { query: { id: text } });
    const entry = entryOf(found, workspaceId);
    return entry ? [entry] : [];
  }
  const { data } = await clientOf(workspaceId).search({ q: text.slice(0, 200), limit: 8 });
  return data.flatMap(({ id, type, title }) => {
    if (type === 'webhook_endpoint') return [{ text: title, note: 'endpoint', href: endpointUrl(workspaceId, id) }];
    return type === 'profile' ? [{ text: title, note: 'profile', href: profileUrl(workspaceId, id) }] : [];
  });
}
