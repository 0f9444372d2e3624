import { type buildConnector, Client, type Dispatcher } from 'undici';
import { type ResponseReader, readInPieces } from './read-in-pieces.ts';
import type { ReadingTime } from './reading-time.ts';
import { limitTlsOverhead } from './tls-overhead.ts';

/** Options for a {@link LimitedClient}. */
export type LimitedClientOptions = Omit<Client.Options, 'connect' | 'maxHeaderSize'> & {
  connect: buildConnector.connector;
};

/** Holds one connection, and limits the size of each response outside its body. */
export class LimitedClient extends Client {
  #responses: ResponseReader | undefined;

  /** @param time - The time that all connections share to parse responses. */
  constructor(url: string | URL, { connect, ...options }: LimitedClientOptions, time: ReadingTime) {
    const connectLimited = limitTlsOverhead(connect);
    super(url, {
      ...options,
      allowH2: false,
      // undici's own limit must never apply: it does not stop the parser, and it raises an error for each further header.
      maxHeaderSize: Number.MAX_SAFE_INTEGER,
      connect: (address, callback) =>
        connectLimited(address, (...[error, socket]) => {
          if (error) return callback(error, null);
          this.#responses = readInPieces(socket, time);
          callback(null, socket);
        }),
    });
    this.on('disconnect', () => {
      this.#responses = undefined;
    });
  }

  get isConnected(): boolean {
    return this.#responses !== undefined;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { onRequestStart, onResponseData } = handler;
    handler.onRequestStart = (...args) => {
      this.#responses?.expectResponse();
      onRequestStart?.apply(handler, args);
    };
    handler.onResponseData = (controller, chunk) => {
      this.#responses?.addBody(chunk.length);
      onResponseData?.call(handler, controller, chunk);
    };
    return super.dispatch(options, handler);
  }
}
