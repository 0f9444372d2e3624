import type { Context, MiddlewareHandler } from 'hono';
import { SESSION_PREFIX, type Session } from '../domain/session.ts';
import { bearerOf } from './incoming.ts';
import type { Services } from './services.ts';

declare module 'hono' {
  interface ContextVariableMap {
    session: Session | undefined;
  }
}

/** Later steps check for a session, because the dashboard must not affect the data that it shows. */
export function readSessions(services: Pick<Services, 'sessions' | 'turns'>): MiddlewareHandler {
  return async (c, next) => {
    c.set('session', await sessionOf(services, c));
    await next();
  };
}

/** A credential of another kind causes no database query. */
export async function sessionOf(
  { sessions, turns }: Pick<Services, 'sessions' | 'turns'>,
  c: Context,
): Promise<Session | undefined> {
  const text = bearerOf(c.req.header('Authorization'));
  return text?.startsWith(SESSION_PREFIX) ? await turns.take(c, () => sessions.read(text)) : undefined;
}

/** Skips a middleware for requests from the dashboard. */
export const unlessSession =
  (step: MiddlewareHandler): MiddlewareHandler =>
  async (c, next) =>
    c.get('session') ? await next() : await step(c, next);
