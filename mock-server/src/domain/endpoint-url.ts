import { isIPv4 } from 'node:net';

/**
 * Whether plain http is acceptable for this receiver: only on the developer's own machine (`localhost`,
 * `127.0.0.0/8`, `[::1]`).
 */
export function isLoopbackUrl(url: URL): boolean {
  const host = url.hostname;
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}

/** Why the server does not send to this URL in its profile, or `undefined` where it does. The form of the URL is the contract's to check. */
export function receiverUrlProblem(url: string, allowLoopbackHttp: boolean): string | undefined {
  const parsed = new URL(url);
  if (parsed.protocol === 'https:') return undefined;
  if (!allowLoopbackHttp) return 'must be an absolute https URL';
  return isLoopbackUrl(parsed) ? undefined : 'must be an absolute https URL; http is for loopback receivers only';
}
