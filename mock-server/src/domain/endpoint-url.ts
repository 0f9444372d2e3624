import { isLoopbackHost } from './loopback.ts';
import { type AddressRules, literalAddressOf } from './receiver-address.ts';

export interface ReceiverRules {
  /** Whether receivers on the developer's machine may use plain http. */
  local: boolean;
  addresses: Pick<AddressRules, 'allows'>;
}

/** Returns why a URL gets no deliveries. Host names are looked up for each connection: their addresses can change. */
export function receiverUrlProblem(url: string, { local, addresses }: ReceiverRules): string | undefined {
  const parsed = new URL(url);
  const literal = literalAddressOf(parsed);
  const isLocalHttp = local && parsed.protocol === 'http:' && isLoopback(parsed);
  if (parsed.protocol !== 'https:' && !isLocalHttp) {
    return local
      ? 'must be an absolute https URL; http is allowed only for loopback receivers'
      : 'must be an absolute https URL';
  }
  return literal === undefined || addresses.allows(literal) ? undefined : 'must not be a private or reserved address';
}

/** A subdomain of `localhost` may lead to another machine. */
const isLoopback = ({ hostname }: URL): boolean => isLoopbackHost(hostname) && !hostname.includes('.localhost');
