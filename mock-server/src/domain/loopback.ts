import { isIPv4 } from 'node:net';

/** Whether a host always refers to the local machine: `localhost`, a subdomain of it, `127.0.0.0/8` or `::1`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return name === '::1' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}
