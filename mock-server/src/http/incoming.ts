import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Session } from '../domain/dashboard-session.ts';
import type { SeenRequest } from './request-log.ts';

/** Returns `undefined` if there is no socket, as in an MSW handler. */
export const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming;

/** Returns the client's address. For IPv6, returns the /64 network, because a client usually owns the whole network. */
export function clientOf(c: Context): string | undefined {
  const address = incomingOf(c)?.socket.remoteAddress;
  if (address === undefined || !address.includes(':') || address.startsWith('::ffff:')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

export const hostOf = (c: Context): string => c.req.header('Host') ?? new URL(c.req.url).host;

export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string;
    session: Session | undefined;
    seen: SeenRequest | undefined;
  }
}
