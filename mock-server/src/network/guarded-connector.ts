import { constants } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import { buildConnector } from 'undici';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { AddressRules } from '../domain/receiver-address.ts';
import { NO_ADDRESSES, type OwnAddresses } from './own-addresses.ts';
import type { ResolveName } from './resolve-name.ts';

/** Thrown if deliveries to the receiver's address are not allowed. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Limits how much computation a receiver can cause. With DHE, a TLS 1.2 server would choose the Diffie-Hellman group,
 * and one handshake with a group of 10,000 bits would block the event loop for most of a second. OpenSSL's default list
 * would allow TLS 1.3 groups of 8,192 bits. With renegotiation, a TLS 1.2 server could request any number of handshakes
 * on one connection.
 */
const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/**
 * Connects only to allowed addresses. Looks up a name once, checks all its addresses, and connects to one of them: a
 * second lookup could return another address. A name with both a public and a private address is rejected.
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
      // Check certificates even if `NODE_TLS_REJECT_UNAUTHORIZED` turns the check off.
      rejectUnauthorized: true,
      // All connections share this context: creating a context for each would take a quarter of a millisecond.
      secureContext,
      allowH2: false,
    } as buildConnector.BuildOptions);
  const connect = createConnector(rules.allows);
  /** The connectors for the server's own ports. A lookup does not know the port, so each port needs a connector. */
  const toOwnPort = new Map<number, buildConnector.connector>();

  return (options, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const isOwnPort = own.usePort(port);
    const isClosed = isIP(hostname) === 0 ? rules.onlyLoopback && !isLoopbackHost(hostname) : !rules.allows(hostname);
    if (isClosed || (isOwnPort && own.include(hostname, port))) {
      // undici expects `callback` to be called asynchronously.
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
