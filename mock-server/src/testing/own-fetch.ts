import { fetch } from 'undici';

/**
 * A `fetch` that always reaches the service. The global `fetch` is not reliable here: a test may replace it, MSW may
 * intercept it, and happy-dom's version rejects other origins.
 */
export async function ownFetch(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const body = method === 'GET' || method === 'DELETE' ? null : await request.text();
  return (await fetch(url, { method, headers: [...headers], body })) as unknown as Response;
}
