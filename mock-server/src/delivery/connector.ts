import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from '../domain/receiver-address.ts';
import type { ResolveName } from './resolve-name.ts';

/** The receiver's address is one that deliveries may not go to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Makes connections to vetted addresses only. A name is looked up once, all its addresses are vetted, and the
 * connection goes to one of exactly these: a name that answers differently the next time gains nothing, and one with a
 * public and a private address is refused. Literal addresses, which are not looked up, are vetted as they stand.
 */
export function createGuardedConnector(
  rules: AddressRules,
  timeoutMs: number,
  resolve: ResolveName,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: vettingLookup(rules, resolve),
    // Whatever the environment says about certificates holds for other programs.
    rejectUnauthorized: true,
    allowH2: false,
  } as buildConnector.BuildOptions);

  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !rules.allows(options.hostname)) {
      // Not in the same turn: undici expects to hear of failures later.
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
