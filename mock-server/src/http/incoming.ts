import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Returns the request as Node received it. `undefined` if the request came through no socket, as in an MSW handler. */
export const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming;
