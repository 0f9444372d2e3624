import { isIP } from 'node:net';
import { isLoopbackHost } from '../domain/loopback.ts';

interface HostSettings {
  host: string;
  publicUrl?: string | undefined;
}

/**
 * Whether a `Host` header names this server. A server that listens on all addresses accepts every IP address,
 * because DNS rebinding works only with a host name.
 */
export function isOwnHost(host: string, { host: listening, publicUrl }: HostSettings, port: number): boolean {
  const named = urlOf(host);
  if (!named) return false;
  if (publicUrl !== undefined && isHostOf(host, new URL(publicUrl))) return true;
  if (Number(named.port || 80) !== port) return false;
  const name = named.hostname.replace(/^\[(.*)\]$/, '$1');
  const everywhere = listening === '0.0.0.0' || listening === '::';
  return ['localhost', '127.0.0.1', '::1', listening].includes(name) || (everywhere && isIP(name) !== 0);
}

/** Whether `origin` is an origin of this server. The server uses plain http, so only its public URL can use https. */
export function isOwnOrigin(origin: string, { host, publicUrl }: HostSettings, port: number): boolean {
  const page = URL.parse(origin);
  if (!page) return false;
  if (publicUrl !== undefined && page.origin === new URL(publicUrl).origin) return true;
  return page.protocol === 'http:' && isOwnHost(page.host, { host }, port);
}

/**
 * A server on loopback accepts only loopback hosts and its public host, because a page may use DNS rebinding. Any port
 * is accepted, because a development server may forward a request with its own port in `Host`.
 */
export function isApiHost(host: string, { host: listening, publicUrl }: HostSettings): boolean {
  if (!isLoopbackHost(listening)) return true;
  const name = urlOf(host)?.hostname;
  if (name === undefined) return false;
  return isLoopbackHost(name) || (publicUrl !== undefined && name === new URL(publicUrl).hostname);
}

/** Whether `host` is the host of `url`, with or without the default port of the URL's scheme. */
const isHostOf = (host: string, url: URL) => urlOf(host, url.protocol)?.host === url.host;

const urlOf = (host: string, scheme = 'http:') => URL.parse(`${scheme}//${host}`);
