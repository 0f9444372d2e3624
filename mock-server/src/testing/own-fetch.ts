import { fetch } from 'undici';

/**
 * Reaches the service with a `fetch` of its own. The global one belongs to the test: the test may replace it, MSW may
 * intercept it, and that of happy-dom refuses other origins.
 */
export async function ownFetch(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const body = method === 'GET' || method === 'DELETE' ? null : await request.text();
  return (await fetch(url, { method, headers: [...headers], body })) as unknown as Response;
}
