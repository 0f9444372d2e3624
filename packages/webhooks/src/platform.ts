import type { HeadersGetter } from './headers.ts';

type Platform = typeof globalThis;

/**
 * The runtime's `Request`, as your compiler knows it from the DOM library, `@types/node`, Deno, Bun or Workers. If the
 * compiler knows none of these libraries, the type has only the members that this package needs. The declarations of
 * this package therefore compile without these libraries.
 */
export type FetchRequest = Platform extends { Request: { prototype: infer Known } }
  ? Known
  : {
      readonly method: string;
      readonly url: string;
      readonly headers: HeadersGetter;
      readonly body: unknown;
      readonly bodyUsed: boolean;
      arrayBuffer(): Promise<ArrayBuffer>;
    };

/** The runtime's `Response`, as your compiler knows it. */
export type FetchResponse = Platform extends { Response: { prototype: infer Known } }
  ? Known
  : { readonly status: number; readonly headers: HeadersGetter; text(): Promise<string> };
