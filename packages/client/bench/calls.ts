import { createClient, type Fetch } from '@svc/client';

const headers = {
  'content-type': 'application/json',
  ratelimit: '"default";r=9;t=9',
  'ratelimit-policy': '"default";q=9;w=9',
};

/**
 * Returns how many microseconds a client call takes in addition to the `fetch` that it makes. Measures the client and
 * `fetch` in turn, and uses the fastest round of each, because other work can make a round slower but never faster.
 */
export async function overheadMicroseconds(rounds = 30, calls = 300): Promise<number> {
  const fetch: Fetch = async () => new Response('{"workspace":{"id":"wsp_1"}}', { headers });
  const { workspaces } = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch });
  const init = { method: 'GET', headers: {}, signal: new AbortController().signal, redirect: 'manual' as const };
  const bare = async () => JSON.parse(await (await fetch('https://a.example', init)).text());
  const timed = async (call: () => PromiseLike<unknown>) => {
    const startedAt = performance.now();
    for (let i = 0; i < calls; i++) await call();
    return ((performance.now() - startedAt) * 1000) / calls;
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await timed(() => workspaces.retrieve('wsp_1')));
    theirs.push(await timed(bare));
  }
  return Math.min(...ours) - Math.min(...theirs);
}

/**
 * Reads `rows` rows, and measures the live heap each time another 5% of the rows have been read. Returns the first, the
 * last and the largest size in megabytes.
 */
export async function iterationMegabytes(rows = 1_000_000): Promise<{ first: number; last: number; most: number }> {
  const { gc } = globalThis;
  const data = Array.from({ length: 100 }, (_, i) => ({ id: `evt_${i}`, type: 'webhook.ping', created: '2026-03-01' }));
  let page = 0;
  const fetch: Fetch = async () => {
    const nextPageUrl = ++page * 100 < rows ? `https://a.example/v1/events?limit=100&page=${page}` : null;
    return Response.json({ data, nextPageUrl, previousPageUrl: null });
  };
  const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch, rateLimit: 'off' });
  const heaps: number[] = [];
  let seen = 0;
  for await (const _ of svc.events.list({ limit: 100 })) {
    if (++seen % (rows / 20) !== 0) continue;
    await gc?.({ type: 'major', execution: 'async' });
    heaps.push(process.memoryUsage().heapUsed / 1e6);
  }
  return { first: heaps[0] ?? Number.NaN, last: heaps.at(-1) ?? Number.NaN, most: Math.max(...heaps) };
}
