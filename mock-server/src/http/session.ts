import type { Context, MiddlewareHandler } from 'hono';
import { SESSION_PREFIX, type Session } from '../domain/session.ts';
import type { Services } from './services.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The dashboard's session that the request came with. */
    session: Session | undefined;
  }
}

/** The text of a bearer credential. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

/** Reads the session that a request comes with. The dashboard must not disturb what it shows, so later steps ask for it. */
export function readSessions(services: Pick<Services, 'sessions'>): MiddlewareHandler {
  return async (c, next) => {
    c.set('session', await sessionOf(services, c));
    await next();
  };
}

/** The session that a request comes with; no statement is made for any other credential. */
export async function sessionOf({ sessions }: Pick<Services, 'sessions'>, c: Context): Promise<Session | undefined> {
  const text = bearerOf(c.req.header('Authorization'));
  return text?.startsWith(SESSION_PREFIX) ? await sessions.read(text) : undefined;
}

/** Leaves the dashboard's own requests out of a step. */
export const unlessSession =
  (step: MiddlewareHandler): MiddlewareHandler =>
  async (c, next) =>
    c.get('session') ? await next() : await step(c, next);
