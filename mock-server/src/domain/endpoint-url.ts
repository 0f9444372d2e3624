import { isIPv4 } from 'node:net';
import { type AddressRules, literalAddressOf } from './receiver-address.ts';

/** What decides whether an endpoint's URL is acceptable. */
export interface ReceiverRules {
  /** Whether plain http is accepted for receivers on the developer's own machine: the local profile. */
  local: boolean;
  addresses: AddressRules;
}

/**
 * Why the server does not send to this URL, or `undefined` where it does. The form of the URL is the contract's to
 * check; a name is vetted again at each connect, because what it leads to may change.
 */
export function receiverUrlProblem(url: string, { local, addresses }: ReceiverRules): string | undefined {
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && !(local && isLoopback(parsed))) {
    return local
      ? 'must be an absolute https URL; http is for loopback receivers only'
      : 'must be an absolute https URL';
  }
  const literal = literalAddressOf(parsed);
  return literal === undefined || addresses.allows(literal) ? undefined : 'must not be a private or reserved address';
}

/** `localhost`, `127.0.0.0/8` or `[::1]`. */
function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
