/**
 * Returns the request headers that are derived from the URL and the body. The log of attempts contains only the other
 * headers, which makes a delivery 6% smaller on disk. If a later version of the server sends a different value in one
 * of these headers, that version must log the value: this function also describes attempts that are already in the log.
 */
export const derivedHeaders = (url: string, body: string): Record<string, string> => ({
  // undici would add the first two headers itself, but then the server would not know which headers were sent.
  host: new URL(url).host,
  'content-length': String(Buffer.byteLength(body)),
  'content-type': 'application/json',
  'user-agent': 'Workspace-Lifecycle-Service-Webhooks/1.0',
});

/** Returns all headers of a logged request, or no headers if the attempt failed before the request was signed. */
export function sentHeaders(
  { url, request_headers: logged }: { url: string; request_headers: string },
  body: string | null | undefined,
): Record<string, string> {
  const headers = JSON.parse(logged) as Record<string, string>;
  return body == null || Object.keys(headers).length === 0 ? headers : { ...derivedHeaders(url, body), ...headers };
}
