type Part = 'Request' | 'Response' | 'TextDecoder' | 'fetch';

/**
 * Adds what verifying in a test may lack: Jest runs tests with jsdom in a global object without these. Node's classes are in
 * the global object outside. Returns a `Request` and a `fetch`, which it does not add: `@svc/client/testing` adds others.
 */
export function completePlatform(): Pick<typeof globalThis, 'Request' | 'fetch'> {
  const inside = globalThis as Partial<Pick<typeof globalThis, Part>>;
  const { Request, Response, TextDecoder, fetch } = inside;
  if (Request && Response && TextDecoder && fetch) return { Request, fetch };
  const outside: typeof globalThis = process.getBuiltinModule('node:vm').runInThisContext('globalThis');
  inside.Response ??= outside.Response;
  inside.TextDecoder ??= outside.TextDecoder;
  return { Request: Request ?? outside.Request, fetch: fetch ?? outside.fetch };
}
