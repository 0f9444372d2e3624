import type { Target } from '../../src/target.ts';

/** A parsed answer of the API that a broken service can change. */
export interface ServedResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a defect changes whatever shape it meets.
  body: any;
}

/** A way in which a service can be wrong. */
export interface Defect {
  /** What such a service does wrong. */
  does: string;
  /** The statement that must fail for it. */
  caughtBy: string;
  /** Whether the defect is in the control API. Otherwise the control API works correctly. */
  inControl?: boolean;
  /** Changes a request's path and query before the service sees them. */
  asks?: (target: string) => string;
  /** Changes a response in place. */
  answers?: (answer: ServedResponse, request: { method: string; path: string }) => void;
}

/** The service of `target` with a defect. */
export function withDefect(target: Target, defect: Defect): Target {
  return { ...target, name: defect.does, fetch: (request) => wrongly(target.fetch, defect, request) };
}

/** Sends a request as a service with a defect would receive it, and returns the response that it would send. */
export async function wrongly(
  send: Target['fetch'],
  { inControl = false, asks, answers }: Defect,
  request: Request,
): Promise<Response> {
  const url = new URL(request.url);
  if (!url.pathname.startsWith(inControl ? '/_control' : '/v1')) return await send(request);
  const asked = asks ? new Request(`${url.origin}${asks(url.pathname + url.search)}`, request) : request;
  const response = await send(asked);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  const answer = {
    status: response.status,
    headers: new Headers(response.headers),
    body: isJson ? JSON.parse(text) : text,
  };
  answers?.(answer, { method: request.method, path: url.pathname });
  answer.headers.delete('content-length');
  const body = isJson ? JSON.stringify(answer.body) : text || null;
  return new Response(body, { status: answer.status, headers: answer.headers });
}
