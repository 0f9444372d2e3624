/** What is needed of Node's `IncomingMessage`, and of the requests that frameworks make of it. */
export interface NodeRequest {
  method?: string | undefined;
  headers: { readonly [name: string]: string | string[] | undefined };
  /** Whether the stream was read by somebody. */
  readonly readableDidRead: boolean;
  /** Iterates the stream. */
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  /** The raw bytes, where a platform or a body parser keeps them. */
  rawBody?: unknown;
  /** What a body parser made of the body; bytes and text are taken. */
  body?: unknown;
}
