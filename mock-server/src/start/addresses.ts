import type { ServerConfig } from '../config/config.ts';
import { createOwnAddresses, NO_ADDRESSES, type OwnAddresses } from '../delivery/sending/own-addresses.ts';
import { isApiHost, isOwnHost, isOwnOrigin } from '../http/own-host.ts';

/** The address that the server listens on. */
export interface Address {
  url: string;
  port: number;
}

/** Replacements for the network in a server without a socket. */
export interface InProcess {
  /** Receives each delivery instead of the network. */
  send?: ((request: Request) => Promise<Response>) | undefined;
  /** Returns the origin of the current request's URL. */
  requestOrigin?: (() => string | undefined) | undefined;
}

/**
 * The addresses at which clients can reach the server. A listening server knows its address only once the socket is
 * open.
 */
export interface Addresses {
  /** The server's own addresses, to which no deliveries are sent. */
  own: OwnAddresses;
  listeningAt(address: Address): void;
  /** The base of absolute URLs, without a trailing slash. */
  publicUrl(): string;
  /** Like `publicUrl`, but returns `undefined` while the URL is not known. */
  knownPublicUrl(): string | undefined;
  /**
   * Whether the control API responds to this `Host` value. A server in the caller's process, without a listening
   * socket, responds to every value.
   */
  isOwnHost(host: string): boolean;
  /** Whether the control API responds to a page with this `Origin`. */
  isOwnOrigin(origin: string): boolean;
  /** Like `isOwnHost`, but for `/v1`. */
  isApiHost(host: string): boolean;
}

/** @param inProcess - Present if the server responds through a function instead of listening on a socket. */
export function createAddresses(config: ServerConfig, inProcess: InProcess | undefined): Addresses {
  let address: Address | undefined;
  const port = () => address?.port ?? config.port;
  const requestOrigin = inProcess?.requestOrigin;
  const publicUrl = () => config.publicUrl ?? address?.url ?? requestOrigin?.() ?? `http://${config.host}`;
  return {
    own: inProcess ? NO_ADDRESSES : createOwnAddresses({ port, publicUrl: config.publicUrl }),
    listeningAt(at) {
      address = at;
    },
    publicUrl,
    knownPublicUrl: () => config.publicUrl ?? address?.url ?? (requestOrigin && publicUrl()),
    isOwnHost: (host) => inProcess !== undefined || isOwnHost(host, config, port()),
    isOwnOrigin: (origin) => (inProcess ? origin === requestOrigin?.() : isOwnOrigin(origin, config, port())),
    isApiHost: (host) => inProcess !== undefined || isApiHost(host, config),
  };
}
