import { type buildConnector, Client, type Dispatcher } from 'undici';
import type { ReadingTime } from './parsing-time.ts';
import { type ResponseReader, readInPieces } from './read-in-pieces.ts';
import { limitTlsOverhead } from './tls-overhead.ts';

export type LimitedClientOptions = Omit<Client.Options, 'connect' | 'maxHeaderSize'> & {
  connect: buildConnector.connector;
};

/** `owner` is the workspace that the request belongs to. */
export type OwnedRequest = Dispatcher.DispatchOptions & { owner?: unknown };

/** Limits the size of each response, not counting its body. */
export class LimitedClient extends Client {
  #responses: ResponseReader | undefined;
  readonly #ownerByDefault: unknown;
  #owner: unknown;

  /** @param owner - The owner of all requests that name no owner. Default: the client itself. */
  constructor(url: string | URL, { connect, ...options }: LimitedClientOptions, time: ReadingTime, owner?: unknown) {
    const connectLimited = limitTlsOverhead(connect, time, () => this.#owner);
    super(url, {
      ...options,
      allowH2: false,
      // This turns off undici's own header limit: beyond the limit, the parser would raise an error for each header.
      maxHeaderSize: Number.MAX_SAFE_INTEGER,
      connect: (address, callback) =>
        connectLimited(address, (...[error, socket]) => {
          if (error) return callback(error, null);
          this.#responses = readInPieces(socket, time);
          callback(null, socket);
        }),
    });
    this.#ownerByDefault = owner ?? this;
    this.on('disconnect', () => {
      this.#responses = undefined;
    });
  }

  get isConnected(): boolean {
    return this.#responses !== undefined;
  }

  override dispatch(options: OwnedRequest, handler: Dispatcher.DispatchHandler): boolean {
    const { owner = this.#ownerByDefault } = options;
    this.#owner = owner;
    // Wrap the handler, because undici is slow if the handler's own methods are replaced.
    return super.dispatch(options, {
      onRequestStart: (...args) => {
        this.#responses?.expectResponse(owner);
        handler.onRequestStart?.(...args);
      },
      onResponseStarted: () => handler.onResponseStarted?.(),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => {
        this.#responses?.addBody(args[1].length);
        handler.onResponseData?.(...args);
      },
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
  }
}
