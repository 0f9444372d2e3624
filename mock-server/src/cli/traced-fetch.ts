import { printError } from './output/terminal.ts';

export const isTracing = /^(1|true)$/.test(process.env['SVC_DEBUG'] ?? '');
// Delete the variable, so that `@svc/client` does not print the same requests again.
if (isTracing) delete process.env['SVC_DEBUG'];

/** Does not follow redirects, because a redirect may lead to another server. */
export async function tracedFetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
  const { method, url } = input instanceof Request ? input : { method: init?.method, url: input };
  return await traced(method ?? 'GET', String(url), async () => await fetch(input, { ...init, redirect: 'manual' }));
}

/** With `SVC_DEBUG=1`, prints the request without its headers, query and body: they may contain secrets. */
export async function traced<Received extends Pick<Response, 'status' | 'headers'>>(
  method: string,
  url: string,
  send: () => Promise<Received>,
): Promise<Received> {
  if (!isTracing) return await send();
  const { origin, pathname } = new URL(url);
  const startedAt = performance.now();
  const report = (result: string) =>
    printError(
      `svc-mock: ${method} ${origin}${pathname} ${result} (${Math.round(performance.now() - startedAt)} ms)\n`,
    );
  try {
    const response = await send();
    const requestId = response.headers.get('service-request-id');
    report(`${response.status}${requestId === null ? '' : ` ${requestId}`}`);
    return response;
  } catch (error) {
    const { message, cause } = error as Error;
    report(`failed: ${cause instanceof Error ? cause.message : message}`);
    throw error;
  }
}
