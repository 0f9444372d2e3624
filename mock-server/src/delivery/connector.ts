import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from '../domain/receiver-address.ts';
import type { ResolveName } from './resolve-name.ts';

/** Deliveries may not go to the receiver's address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Connects to checked addresses only. It looks a name up once, checks all its addresses and connects to one of them. So
 * a name gains nothing by resolving differently the next time. A name with both a public and a private address is
 * refused. Literal addresses need no look-up and are checked directly.
 */
export function createGuardedConnector(
  rules: AddressRules,
  timeoutMs: number,
  resolve: ResolveName,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: vettingLookup(rules, resolve),
    // Certificate settings in the environment are for other programs.
    rejectUnauthorized: true,
    allowH2: false,
  } as buildConnector.BuildOptions);

  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !rules.allows(options.hostname)) {
      // Fail in a later turn of the event loop, as undici expects.
      queueMicrotask(() => callback(new BlockedAddressError(`${options.hostname} is closed to deliveries.`), null));
      return;
    }
    connect(options, callback);
  };
}

function vettingLookup(rules: AddressRules, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const found = (addresses: LookupAddress[]) => {
      const closed = addresses.find(({ address }) => !rules.allows(address));
      if (closed) {
        return callback(new BlockedAddressError(`${hostname} is ${closed.address}, closed to deliveries.`), '', 0);
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      callback(null, first?.address ?? '', first?.family ?? 0);
    };
    resolve(hostname).then(found, (error) => callback(error, '', 0));
  };
}
