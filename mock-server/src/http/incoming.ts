import type { HttpBindings } from '@hono/node-server';
import type { OperationName } from '@svc/contract';
import type { Context } from 'hono';
import type { Session } from '../domain/dashboard-session.ts';
import type { SeenRequest } from './received-requests.ts';

/** Returns the request as Node received it, or `undefined` if there is no socket, as in an MSW handler. */
export const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming;

export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string;
    session: Session | undefined;
    /** `undefined` until the router has found the operation. */
    operation: OperationName | undefined;
    seen: SeenRequest | undefined;
  }
}
