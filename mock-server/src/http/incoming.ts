import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Returns the request as Node received it. `undefined` if there is no socket, as in an MSW handler. */
export const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming;

/** Reads the bearer credential from an `Authorization` header. `authenticate` in `caller.ts` checks the credential. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
