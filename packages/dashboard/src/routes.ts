import { dashboardPath, serverUrl } from './base.ts';

/** Query parameters with the names that the API uses. A URL leaves out undefined and empty values. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export function href(path: string, parameters: Parameters = {}): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  const query = new URLSearchParams(given.map(([name, value]) => [name, value])).toString();
  return dashboardPath + path.replace(/^\//, '') + (query && `?${query}`);
}

/** Returns the URL of the API reference, which is a separate page. */
export const docsUrl = (operation?: string): string =>
  `${new URL(serverUrl).pathname.replace(/\/$/, '')}/docs${operation ? `#${operation}` : ''}`;

export const inWorkspace = (workspaceId: string, path = '', parameters?: Parameters): string =>
  href(`w/${encodeURIComponent(workspaceId)}${path && `/${path}`}`, parameters);

export const deliveryUrl = (workspaceId: string, id: string, parameters?: Parameters): string =>
  inWorkspace(workspaceId, `deliveries/${encodeURIComponent(id)}`, parameters);
export const endpointUrl = (workspaceId: string, id: string, parameters?: Parameters): string =>
  inWorkspace(workspaceId, `webhooks/${encodeURIComponent(id)}`, parameters);
export const profileUrl = (workspaceId: string, id: string): string =>
  inWorkspace(workspaceId, `profiles/${encodeURIComponent(id)}`);
export const eventUrl = (workspaceId: string, id: string): string =>
  inWorkspace(workspaceId, `events/${encodeURIComponent(id)}`);
