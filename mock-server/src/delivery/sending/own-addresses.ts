import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { createAddressSet } from '../../domain/receiver-address.ts';

/**
 * The addresses at which this server responds. Deliveries must not go there, because they could call the control API.
 */
export interface OwnAddresses {
  /** Whether the server responds at this port, on any of its addresses. */
  usePort(port: number): boolean;
  /** Whether a name, or a literal address without brackets, is this server at this port. */
  include(host: string, port: number): boolean;
}

/** The addresses of a server that does not listen. */
export const NO_ADDRESSES: OwnAddresses = { usePort: () => false, include: () => false };

/** What a server knows about its addresses. */
export interface OwnAddressesOptions {
  /** The port that the server listens on. */
  port(): number;
  /** The base of its public URLs, if the server is behind a proxy. */
  publicUrl: string | undefined;
  /** Every address of this machine. Default: those of its network interfaces. */
  ofMachine?: () => readonly string[];
}

/** Connecting to an unspecified address reaches this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1', '0.0.0.0/8', '::'];

/**
 * The server's own port is closed on every address of this machine, not only on those that the server listens on. The
 * public URL is closed by its name or address.
 */
export function createOwnAddresses(options: OwnAddressesOptions): OwnAddresses {
  const { port: listening, publicUrl, ofMachine = addressesOfInterfaces } = options;
  const published = publicUrl === undefined ? undefined : publishedAt(new URL(publicUrl));
  return {
    usePort: (port) => port === listening() || port === published?.port,
    include(host, port) {
      if (published?.port === port && published.has(host)) return true;
      // The addresses are read again each time, because interfaces come and go.
      return port === listening() && isIP(host) !== 0 && createAddressSet([...LOOPBACK, ...ofMachine()])(host);
    },
  };
}

/** The place of a public URL: a name, or addresses. */
function publishedAt(url: URL): { port: number; has(host: string): boolean } {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const name = canonical(url.hostname);
  const isLoopback = createAddressSet(LOOPBACK);
  if (isLoopbackHost(name) || (isIP(name) !== 0 && isLoopback(name))) {
    return { port, has: (host) => isLoopbackHost(host) || (isIP(host) !== 0 && isLoopback(host)) };
  }
  const isSame = isIP(name) === 0 ? undefined : createAddressSet([name]);
  return { port, has: (host) => (isIP(host) !== 0 && isSame ? isSame(host) : canonical(host) === name) };
}

/** A host in lower case, without brackets and without the trailing dot of a fully qualified name. */
const canonical = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

const addressesOfInterfaces = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
