/**
 * The part of Node's `IncomingMessage` that this package needs. Frameworks that build on Node pass requests with the
 * same members.
 */
export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** The original URL. A framework may have removed the path of a mounted router from `url`. */
  originalUrl?: string | undefined;
  headers: { readonly [name: string]: string | string[] | undefined };
  /** Whether other code has already read the stream. */
  readonly readableDidRead: boolean;
  /** Iterates over the stream. */
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  /** The raw bytes, if a platform or a body parser keeps them. */
  rawBody?: unknown;
  /** The body from a body parser. Only bytes and strings are accepted. */
  body?: unknown;
}
