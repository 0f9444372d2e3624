import { isLoopbackHost } from './loopback.ts';
import { type AddressRules, literalAddressOf } from './receiver-address.ts';

export interface ReceiverRules {
  /** Whether receivers on the developer's machine may use plain http. */
  local: boolean;
  addresses: Pick<AddressRules, 'allows'>;
}

/**
 * Returns why a URL cannot receive deliveries, or `undefined` if it can. Of all host names, only `localhost` always has
 * the same address (RFC 6761, section 6.3). Other addresses can change, so the server checks them for each connection.
 */
export function receiverUrlProblem(url: string, { local, addresses }: ReceiverRules): string | undefined {
  const parsed = new URL(url);
  const address = parsed.hostname === 'localhost' ? '127.0.0.1' : literalAddressOf(parsed);
  const isLocalHttp = local && parsed.protocol === 'http:' && isLoopback(parsed);
  if (parsed.protocol !== 'https:' && !isLocalHttp) {
    return local
      ? 'must be an absolute https URL; http is allowed only for loopback receivers'
      : 'must be an absolute https URL';
  }
  return address === undefined || addresses.allows(address) ? undefined : 'must not be a private or reserved address';
}

/** A subdomain of `localhost` may lead to another machine. */
const isLoopback = ({ hostname }: URL): boolean => isLoopbackHost(hostname) && !hostname.includes('.localhost');
