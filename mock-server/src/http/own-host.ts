import { isIP } from 'node:net';

/**
 * Whether a `Host` header names this server: an address or name that it listens on, or the public URL's. A page that
 * uses DNS rebinding sends its own name. A literal address cannot be rebound.
 */
export function isOwnHost(
  host: string,
  { host: listening, publicUrl }: { host: string; publicUrl?: string | undefined },
  port: number,
): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const named = new URL(url);
  if (publicUrl !== undefined && named.host === new URL(publicUrl).host) return true;
  if (Number(named.port || 80) !== port) return false;
  const name = named.hostname.replace(/^\[(.*)\]$/, '$1');
  const everywhere = listening === '0.0.0.0' || listening === '::';
  return ['localhost', '127.0.0.1', '::1', listening].includes(name) || (everywhere && isIP(name) !== 0);
}
