import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** The request as Node received it. `undefined` if there is no socket, as in an MSW handler. */
export const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming;

export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
