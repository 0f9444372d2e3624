import { PATIENCE_MS } from './patience.ts';
import type { Target } from './target.ts';
import { demo } from './tenants.ts';

export interface Credentials {
  apiKey: string;
  token?: string | undefined;
}

export interface Workspace {
  id: string;
  organizationId: string;
  name: string;
  slug: string;
  timezone: string | null;
  weekStartsOn: number | null;
}

const ENDPOINTS = '/v1/webhooks/endpoints';

/**
 * Creates a target for a service without the control API. The checks use the ids and credentials of the demo tenants.
 * So the suite replaces these values with the service's values in each request, and puts the demo values back in each
 * response. After a check, `tidy` deletes the endpoints that the check created, and restores the fields of `workspace`.
 */
export function outsideTarget(baseUrl: string, { apiKey, token }: Credentials, workspace: Workspace): Target {
  const names: [theirs: string, ours: string][] = [
    [workspace.id, demo.production],
    [workspace.organizationId, demo.acme],
    [apiKey, demo.productionKey],
  ];
  if (token !== undefined) names.push([token, demo.owner]);
  const inRequest = (text: string) => names.reduce((all, [theirs, ours]) => all.replaceAll(ours, theirs), text);
  const inResponse = (text: string) => names.reduce((all, [theirs, ours]) => all.replaceAll(theirs, ours), text);

  const others = Object.values(demo).filter((name) => !names.some(([, ours]) => ours === name));
  /** Throws if a request contains a demo id or demo credential that has no replacement. The request is not sent. */
  const refuseOthers = (request: string) => {
    if (others.some((name) => request.includes(name))) throw new TypeError('The check needs more than one workspace.');
  };

  const created = new Set<string>();
  let isChanged = false;
  const send = (method: string, path: string, body?: object) =>
    patiently(
      () =>
        new Request(`${baseUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        }),
    );

  return {
    name: baseUrl,
    baseUrl,
    controlUrl: undefined,
    offers: token === undefined ? ['key'] : ['key', 'token'],
    async fetch(request) {
      const { method } = request;
      const asked = { url: request.url, headers: [...request.headers], body: await request.text() };
      refuseOthers(JSON.stringify(asked));
      const url = inRequest(asked.url);
      const headers = asked.headers.map(([name, value]): [string, string] => [name, inRequest(value)]);
      const sent = inRequest(asked.body);
      const response = await patiently(() => new Request(url, { method, headers, body: sent || null }));
      const text = inResponse(await response.text());
      const { pathname } = new URL(url);
      if (method === 'POST' && pathname === ENDPOINTS) for (const [id] of text.matchAll(/\bwhe_\w+/g)) created.add(id);
      if (method === 'PATCH' && pathname === `/v1/workspaces/${workspace.id}`) isChanged = true;
      return new Response(text || null, { status: response.status, headers: response.headers });
    },
    async tidy() {
      for (const id of created) await send('DELETE', `${ENDPOINTS}/${id}`);
      created.clear();
      const { name, slug, timezone, weekStartsOn } = workspace;
      if (isChanged) await send('PATCH', `/v1/workspaces/${workspace.id}`, { name, slug, timezone, weekStartsOn });
      isChanged = false;
    },
  };
}

/** Sends a request. After a 429, waits and sends the request again, up to four times. */
async function patiently(request: () => Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(request(), { signal: AbortSignal.timeout(PATIENCE_MS) });
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status !== 429 || attempt === 5) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, (seconds || 1) * 1_000));
  }
}
