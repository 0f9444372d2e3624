import { fetch } from 'undici';

/**
 * Reaches the service with its own `fetch`. The global `fetch` belongs to the test: the test may replace it, MSW may
 * intercept it, and happy-dom's version rejects other origins.
 */
export async function ownFetch(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const body = method === 'GET' || method === 'DELETE' ? null : await request.text();
  return (await fetch(url, { method, headers: [...headers], body })) as unknown as Response;
}
