type Part = 'Request' | 'Response' | 'TextDecoder' | 'fetch';

/**
 * Adds the classes that verification needs, if a test environment lacks them. Jest with jsdom, for example, runs tests
 * with a global object that lacks these classes. Node's own global object has these classes. Returns a `Request` and a
 * `fetch`, but does not add these two globally, because `@svc/client/testing` adds its own `Request`.
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
