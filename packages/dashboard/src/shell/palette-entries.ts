import type { FoundId } from '@svc/contract/control/types';
import { matches } from '../format/matches.ts';
import { deliveryUrl, docsUrl, endpointUrl, eventUrl, href, inWorkspace, profileUrl } from '../routes.ts';

export interface PaletteEntry {
  text: string;
  note: string;
  href: string;
}

const SCREENS = [
  ['Overview', ''],
  ['Deliveries', 'deliveries'],
  ['Failed deliveries', 'deliveries?status=failed'],
  ['Pending deliveries', 'deliveries?status=pending'],
  ['Events', 'events'],
  ['Profiles', 'profiles'],
  ['Profiles at risk', 'profiles?state=at_risk'],
  ['Lifecycle', 'lifecycle'],
  ['Webhooks', 'webhooks'],
  ['API keys', 'api-keys'],
  ['Event types', 'event-types'],
  ['Requests', 'requests'],
  ['Faults', '/server/faults'],
  ['Server', '/server'],
  ['Members', 'members'],
  ['Settings', 'settings'],
  ['Account settings', '/account'],
] as const;

/** Returns an entry for each screen whose name matches the text. The API reference counts as a screen. */
export function screensMatching(text: string, workspaceId: string): PaletteEntry[] {
  const screens = SCREENS.map(([text, path]) => ({ text, note: 'screen', href: urlOf(path, workspaceId) }));
  const all = [...screens, { text: 'API reference', note: 'documents', href: docsUrl() }];
  return all.filter(({ text: name }) => matches(name, [], text));
}

function urlOf(path: string, workspaceId: string): string {
  const [screen = '', query = ''] = path.split('?');
  if (screen.startsWith('/')) return href(screen);
  return inWorkspace(workspaceId, screen, Object.fromEntries(new URLSearchParams(query)));
}

export const isIdLike = (text: string): boolean => /^(?:[a-z]{3}_\S+|[0-9A-HJKMNP-TV-Z]{26})$/i.test(text.trim());

/**
 * Returns an entry that opens the resource's screen, in the workspace `current` if the resource belongs to no
 * workspace.
 */
export function entryOf({ id, type, workspaceId, parentId }: FoundId, current: string): PaletteEntry | undefined {
  const here = workspaceId ?? current;
  const entry = (note: string, url: string): PaletteEntry => ({ text: id, note, href: url });
  switch (type) {
    case 'webhook_delivery':
      return entry('delivery', deliveryUrl(here, id));
    case 'event':
      return entry('event', eventUrl(here, id));
    case 'profile':
      return entry('profile', profileUrl(here, id));
    case 'webhook_endpoint':
      return entry('endpoint', endpointUrl(here, id));
    case 'webhook_secret':
      return entry('signing secret', endpointUrl(here, parentId ?? ''));
    case 'workspace':
      return entry('workspace', inWorkspace(id));
    case 'api_key':
      return entry('API key', inWorkspace(here, 'api-keys'));
    case 'user':
      return entry('user', href(`account/${id}`));
    case 'personal_access_token':
      return entry('token', href(`account/${parentId ?? ''}`));
    case 'notification':
      return entry('notification', parentId ? endpointUrl(here, parentId) : inWorkspace(here));
    case 'request':
      return entry('request', inWorkspace(current, 'requests', { request: id }));
    case 'evaluation':
      return entry('evaluation', inWorkspace(here, 'lifecycle'));
    case 'fault':
      return entry('fault', href('server/faults'));
    case 'organization':
      return entry('organization', href('server'));
  }
}
