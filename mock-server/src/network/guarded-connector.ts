import { constants } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import { buildConnector } from 'undici';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { AddressRules } from '../domain/receiver-address.ts';
import { NO_ADDRESSES, type OwnAddresses } from './own-addresses.ts';
import type { ResolveName } from './resolve-name.ts';

/** Thrown if the server must not send deliveries to the receiver's address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * TLS options that limit how much computation a receiver can cause. With DHE, a TLS 1.2 server would choose the
 * Diffie-Hellman group. One handshake with a group of 10,000 bits would block the event loop for most of a second. From
 * OpenSSL's default list, a TLS 1.3 server could choose a group of 8,192 bits. One handshake with this group would take
 * 150 ms. So these groups are not allowed. All common servers support elliptic curves instead. With renegotiation, a
 * TLS 1.2 server could request any number of handshakes on one connection.
 */
const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/**
 * Creates a connector that connects only to allowed addresses. It looks up a name only once, checks all addresses of
 * the name, and connects to one of them. So a name cannot bypass the check by resolving to another address in a second
 * lookup. A name with both a public and a private address is rejected.
 *
 * @param own - The server's own addresses, to which no deliveries are sent.
 */
export function createGuardedConnector(
  rules: AddressRules,
  timeoutMs: number,
  resolve: ResolveName,
  own: OwnAddresses = NO_ADDRESSES,
): buildConnector.connector {
  const secureContext = createSecureContext(TLS_OPTIONS);
  const createConnector = (allows: AddressRules['allows']) =>
    buildConnector({
      timeout: timeoutMs,
      lookup: vettingLookup(allows, resolve),
      // Check certificates even if a setting in the environment turns the check off for this process.
      rejectUnauthorized: true,
      // Without this context, each connection would create its own context, which takes a quarter of a millisecond.
      secureContext,
      allowH2: false,
    } as buildConnector.BuildOptions);
  const connect = createConnector(rules.allows);
  /** The connectors for the server's own ports: one for each port, because a lookup does not know the port. */
  const toOwnPort = new Map<number, buildConnector.connector>();

  return (options, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const isOwnPort = own.usePort(port);
    const isClosed = isIP(hostname) === 0 ? rules.onlyLoopback && !isLoopbackHost(hostname) : !rules.allows(hostname);
    if (isClosed || (isOwnPort && own.include(hostname, port))) {
      // undici expects an asynchronous call of `callback`.
      const error = new BlockedAddressError(`Deliveries to ${hostname}:${port} are not allowed.`);
      return queueMicrotask(() => callback(error, null));
    }
    if (!isOwnPort) return connect(options, callback);
    const known =
      toOwnPort.get(port) ?? createConnector((address) => rules.allows(address) && !own.include(address, port));
    toOwnPort.set(port, known);
    return known(options, callback);
  };
}

function vettingLookup(allows: AddressRules['allows'], resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const found = (addresses: LookupAddress[]) => {
      const closed = addresses.find(({ address }) => !allows(address));
      if (closed) {
        const message = `Deliveries to ${hostname} are not allowed: its address is ${closed.address}.`;
        return callback(new BlockedAddressError(message), '', 0);
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      callback(null, first?.address ?? '', first?.family ?? 0);
    };
    resolve(hostname).then(found, (error) => callback(error, '', 0));
  };
}
