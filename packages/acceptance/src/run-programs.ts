import type { Place } from './guide-programs.ts';

// Usage: `node run-programs.ts <place as JSON> <file> …`. Runs the programs of a guide one after another. The guides
// only declare some functions and values, which each reader must define. This file defines them for the test.

const [place = '', ...files] = process.argv.slice(2);
const { url, apiKey, accessToken, workspaceId } = JSON.parse(place) as Place;

process.env['SVC_API_KEY'] = apiKey;
process.env['SVC_BASE_URL'] = url;
process.env['ACME_KEY'] = apiKey;
process.env['ACME_URL'] = url;
process.env['SVC_TOKEN'] = accessToken;
process.env['WEBHOOK_SECRET'] = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const serviceFetch = globalThis.fetch;
/**
 * A `fetch` that also responds to `/v1/exports/…`. A guide calls this path as an example of an operation that the
 * client does not know.
 */
const fetchWithExports: typeof fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input));
  if (pathname.startsWith('/v1/exports/')) return Response.json({ run: { id: 'run_1' } });
  return await serviceFetch(input, init);
};
globalThis.fetch = fetchWithExports;

console.assert = (isTrue?: boolean) => {
  if (!isTrue) throw new Error('An assertion of the guide failed.');
};

const firstPage = await serviceFetch(`${url}/v1/webhooks/deliveries?limit=1`, {
  headers: { authorization: `Bearer ${apiKey}` },
});
const { nextPageUrl } = (await firstPage.json()) as { nextPageUrl: string };

Object.assign(globalThis, {
  exportId: 'exp_1',
  existingFetch: fetchWithExports,
  ids: [workspaceId],
  kept: nextPageUrl,
  pino: { debug: () => {}, info: () => {} },
  row: { workspace_id: workspaceId },
  save: async () => {},
  typed: workspaceId,
  withWorkspaces: true,
});

for (const file of files) {
  await import(file);
  console.log(`ran ${file}`);
}
