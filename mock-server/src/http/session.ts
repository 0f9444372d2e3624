import type { Context, MiddlewareHandler } from 'hono';
import { SESSION_PREFIX, type Session } from '../domain/session.ts';
import { bearerOf } from './bearer.ts';
import type { Services } from './services.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The dashboard session of the request. */
    session: Session | undefined;
  }
}

/**
 * Reads the session of a request. The dashboard must not affect the data it shows, so later steps check for a session.
 */
export function readSessions(services: Pick<Services, 'sessions' | 'turns'>): MiddlewareHandler {
  return async (c, next) => {
    c.set('session', await sessionOf(services, c));
    await next();
  };
}

/** The session of a request. Other credentials cause no database query. */
export async function sessionOf(
  { sessions, turns }: Pick<Services, 'sessions' | 'turns'>,
  c: Context,
): Promise<Session | undefined> {
  const text = bearerOf(c.req.header('Authorization'));
  return text?.startsWith(SESSION_PREFIX) ? await turns.take(c, () => sessions.read(text)) : undefined;
}

/** Skips a step for the dashboard's own requests. */
export const unlessSession =
  (step: MiddlewareHandler): MiddlewareHandler =>
  async (c, next) =>
    c.get('session') ? await next() : await step(c, next);
