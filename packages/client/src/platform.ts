/**
 * The web platform's classes as the reader's compiler knows them, from the DOM library, `@types/node`, Deno, Bun or
 * Workers; without any of these, the part that this package needs. So the declarations ask for no library.
 */

type Platform = typeof globalThis;

/**
 * The runtime's `AbortSignal`.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export type Signal = Platform extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : { readonly aborted: boolean; readonly reason: unknown };

/**
 * The runtime's `Headers`.
 *
 * {@includeCode ../test/documented/calls.ts#raw}
 */
export type ResponseHeaders = Platform extends { Headers: { prototype: infer Known } }
  ? Known
  : { get(name: string): string | null; has(name: string): boolean };

/**
 * The runtime's `Response`.
 *
 * {@includeCode ../test/documented/calls.ts#raw}
 */
export type RawResponse = Platform extends { Response: { prototype: infer Known } }
  ? Known
  : FetchedResponse & { json(): Promise<unknown> };

/**
 * The runtime's `Request`.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type RawRequest = Platform extends { Request: { prototype: infer Known } }
  ? Known
  : { readonly method: string; readonly url: string; text(): Promise<string> };

/**
 * What `await using` needs, where the reader's compiler knows of it.
 *
 * {@includeCode ../test/documented/clients.ts#close}
 */
export type Closes = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [K in Key]: () => Promise<void> }
  : object;

/**
 * What the client asks of the answer of a `fetch`: every implementation's `Response` has it.
 *
 * {@includeCode ../test/documented/extending.ts#fetch}
 */
export interface FetchedResponse {
  readonly status: number;
  /** `asResponse` copies those that can be iterated. */
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/**
 * What the client hands to `fetch` besides the URL: plain values, so that any implementation takes them.
 *
 * {@includeCode ../test/documented/extending.ts#fetch}
 */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: Signal;
  redirect: 'manual';
}

/**
 * A `fetch`: the runtime's own, undici's, a proxy's, a test's or an in-process server's.
 *
 * It is always called with a URL and plain options, never with a `Request`, so implementations of other copies work.
 *
 * {@includeCode ../test/documented/extending.ts#fetch}
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;
