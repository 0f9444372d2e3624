/**
 * The classes of the web platform, as the user's compiler knows them. Without a library such as DOM or `@types/node`,
 * each type has only the members that this package needs.
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
 * The interface that `await using` requires. If the user's compiler does not support `await using`, the type is
 * `object`.
 *
 * {@includeCode ../test/documented/clients.ts#close}
 */
export type Closes = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [K in Key]: () => Promise<void> }
  : object;

/**
 * The members of a `fetch` response that the client uses. Every implementation's `Response` has these members.
 *
 * {@includeCode ../test/documented/extending.ts#fetch}
 */
export interface FetchedResponse {
  readonly status: number;
  /** `asResponse` copies the headers if they can be iterated. */
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/**
 * The options that the client passes to `fetch`. All options except `signal` are plain values, so any implementation of
 * `fetch` accepts the options.
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
 * A `fetch` function of the runtime, undici, a proxy, a test or an in-process server.
 *
 * The client always calls this function with a URL and plain options, never with a `Request`. So an implementation with
 * its own `Request` class works too.
 *
 * {@includeCode ../test/documented/extending.ts#fetch}
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;
