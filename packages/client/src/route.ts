const PARAMETERS = {
  __proto__: null,
  wsp: 'workspaceId',
  whe: 'endpointId',
  whd: 'deliveryId',
  evt: 'eventId',
} as unknown as Record<string, string | undefined>;

/** The path of a URL as the API reference writes it: without its query, and with parameters in place of ids. */
export function routeOf(url: string): string {
  const path = url.replace(/^[^?#]*?(?=\/v1\/)|[?#].*/g, '');
  return path.replace(/\/([a-z]+)_[^/]*/g, (_, kind) => `/{${PARAMETERS[kind] ?? 'id'}}`);
}
