import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../domain/loopback.ts';
import { createAddressSet } from '../domain/receiver-address.ts';

/** The addresses at which this server responds. A delivery to one of these addresses could call the control API. */
export interface OwnAddresses {
  /** Whether the server responds on this port, at any of its addresses. */
  usePort(port: number): boolean;
  /** Whether the server responds at this host and port. The host is a name, or a literal address without brackets. */
  include(host: string, port: number): boolean;
}

export const NO_ADDRESSES: OwnAddresses = { usePort: () => false, include: () => false };

/** A connection to an unspecified address also reaches this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1', '0.0.0.0/8', '::'];

/**
 * The server sends no deliveries to the host and port of its public URL, or to its own port on any address of this
 * machine, even an address on which the server does not listen.
 */
export function createOwnAddresses(
  { port: listening, publicUrl }: { port(): number; publicUrl: string | undefined },
  ofMachine: () => readonly string[] = addressesOfInterfaces,
): OwnAddresses {
  const published = publicUrl === undefined ? undefined : publishedAt(new URL(publicUrl));
  return {
    usePort: (port) => port === listening() || port === published?.port,
    include(host, port) {
      if (published?.port === port && published.has(host)) return true;
      // Read the addresses of this machine each time, because its network interfaces can change.
      return port === listening() && createAddressSet([...LOOPBACK, ...ofMachine()])(host);
    },
  };
}

function publishedAt(url: URL): { port: number; has(host: string): boolean } {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const name = canonical(url.hostname);
  const isLoopbackAddress = createAddressSet(LOOPBACK);
  const isLoopback = (host: string) => isLoopbackHost(host) || isLoopbackAddress(host);
  if (isLoopback(name)) return { port, has: isLoopback };
  const isSame = isIP(name) === 0 ? (host: string) => host === name : createAddressSet([name]);
  return { port, has: (host) => isSame(canonical(host)) };
}

/** Returns the host in lower case, without brackets and without the trailing dot of a fully qualified name. */
const canonical = (host: string) => host.toLowerCase().replaceAll(/^\[|\]$|\.$/g, '');

const addressesOfInterfaces = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
