import { isIPv4 } from 'node:net';
import { type AddressRules, literalAddressOf } from './receiver-address.ts';

/** Rules for the URLs of endpoints. */
export interface ReceiverRules {
  /** Whether receivers on the developer's machine may use plain http. True in the local profile. */
  local: boolean;
  addresses: AddressRules;
  /**
   * In tests: whether a literal address may be a receiver in addition to loopback. If undefined, every host is allowed.
   */
  onlyAlso?: ((address: string) => boolean) | undefined;
}

/**
 * Why the server does not deliver to this URL, or `undefined` if it does. The contract checks the form of the URL. Each
 * connect checks a name again, because its addresses may change.
 */
export function receiverUrlProblem(url: string, { local, addresses, onlyAlso }: ReceiverRules): string | undefined {
  const parsed = new URL(url);
  const literal = literalAddressOf(parsed);
  if (onlyAlso && !isLoopback(parsed) && !(literal !== undefined && onlyAlso(literal))) {
    return 'must be on loopback, because deliveries in tests go only there; to allow other receivers, set the option `allowNetwork`';
  }
  if (parsed.protocol !== 'https:' && !(local && isLoopback(parsed))) {
    return local
      ? 'must be an absolute https URL; http is allowed only for loopback receivers'
      : 'must be an absolute https URL';
  }
  return literal === undefined || addresses.allows(literal) ? undefined : 'must not be a private or reserved address';
}

/** `localhost`, `127.0.0.0/8` or `[::1]`. */
function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
