import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from '../../domain/receiver-address.ts';
import { TLS_OPTIONS } from '../../network/tls-options.ts';
import { NO_ADDRESSES, type OwnAddresses } from './own-addresses.ts';
import type { ResolveName } from './resolve-name.ts';

/** Deliveries may not go to the receiver's address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Connects to checked addresses only. The connector looks a name up once, checks all its addresses and connects to one
 * of them. So it makes no difference if the name resolves differently the next time. A name with both a public and a
 * private address is rejected. Literal addresses need no lookup and are checked directly.
 *
 * @param own - The server's own addresses, to which it makes no deliveries.
 */
export function createGuardedConnector(
  rules: AddressRules,
  timeoutMs: number,
  resolve: ResolveName,
  own: OwnAddresses = NO_ADDRESSES,
): buildConnector.connector {
  const createConnector = (allows: AddressRules['allows']) =>
    buildConnector({
      timeout: timeoutMs,
      lookup: vettingLookup(allows, resolve),
      // Certificate settings in the environment are for other programs, so override them.
      rejectUnauthorized: true,
      ...TLS_OPTIONS,
      allowH2: false,
    } as buildConnector.BuildOptions);
  const connect = createConnector(rules.allows);
  /** A lookup does not know the port. So each of the server's own ports, one or two, has its own connector. */
  const toOwnPort = new Map<number, buildConnector.connector>();

  return (options, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const isOwnPort = own.usePort(port);
    if ((isIP(hostname) !== 0 && !rules.allows(hostname)) || (isOwnPort && own.include(hostname, port))) {
      // Fail in a later pass of the event loop, as undici expects.
      queueMicrotask(() =>
        callback(new BlockedAddressError(`Deliveries to ${hostname}:${port} are not allowed.`), null),
      );
      return;
    }
    if (!isOwnPort) return connect(options, callback);
    const known =
      toOwnPort.get(port) ?? createConnector((address) => rules.allows(address) && !own.include(address, port));
    toOwnPort.set(port, known);
    known(options, callback);
  };
}

function vettingLookup(allows: AddressRules['allows'], resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const found = (addresses: LookupAddress[]) => {
      const closed = addresses.find(({ address }) => !allows(address));
      if (closed) {
        return callback(
          new BlockedAddressError(`Deliveries to ${hostname} are not allowed: its address is ${closed.address}.`),
          '',
          0,
        );
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      callback(null, first?.address ?? '', first?.family ?? 0);
    };
    resolve(hostname).then(found, (error) => callback(error, '', 0));
  };
}
