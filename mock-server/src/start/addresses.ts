import type { ServerConfig } from '../config/config.ts';
import { isApiHost, isOwnHost, isOwnOrigin } from '../http/own-host.ts';
import { createOwnAddresses, NO_ADDRESSES } from '../network/own-addresses.ts';

export interface Address {
  url: string;
  port: number;
}

/** What a server without a socket uses instead of the network. */
export interface InProcess {
  send?: ((request: Request) => Promise<Response>) | undefined;
  requestOrigin?: (() => string | undefined) | undefined;
}

export type Addresses = ReturnType<typeof createAddresses>;

/** Stores the server's addresses. Call `listeningAt` when the socket is open and the listening address is known. */
export function createAddresses(config: ServerConfig, inProcess: InProcess | undefined) {
  let address: Address | undefined;
  const port = () => address?.port ?? config.port;
  const requestOrigin = inProcess?.requestOrigin;
  const publicUrl = () => config.publicUrl ?? address?.url ?? requestOrigin?.() ?? `http://${config.host}`;
  return {
    own: inProcess ? NO_ADDRESSES : createOwnAddresses({ port, publicUrl: config.publicUrl }),
    listeningAt(at: Address): void {
      address = at;
    },
    publicUrl,
    /** Like `publicUrl`, but returns `undefined` while the URL is not known. */
    knownPublicUrl: () => config.publicUrl ?? address?.url ?? (requestOrigin && publicUrl()),
    isOwnHost: (host: string) => inProcess !== undefined || isOwnHost(host, config, port()),
    isOwnOrigin: (origin: string) => (inProcess ? origin === requestOrigin?.() : isOwnOrigin(origin, config, port())),
    isApiHost: (host: string) => inProcess !== undefined || isApiHost(host, config),
  };
}
