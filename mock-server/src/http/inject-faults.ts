import { setTimeout as sleep } from 'node:timers/promises';
import { API_HEADERS, ERROR_STATUSES, ID_PREFIXES, type OperationName, operations } from '@svc/contract';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { hashCredential } from '../domain/credential.ts';
import type { ApiFault, Fault } from '../domain/fault.ts';
import { findCredential } from '../storage/statements/credentials.ts';
import { ConnectionCutError } from './errors.ts';
import { bearerOf, incomingOf } from './incoming.ts';
import { honoPath } from './operation.ts';
import { note } from './request-log.ts';
import type { Services } from './services.ts';

const FAULT_HEADER = 'Service-Fault';
/** How long the fault `drop` waits if it has no `delayMs`. */
const SILENCE_MS = 60_000;

/** Runs before the caller is checked, so that a request stopped by a fault does not count against a rate limit. */
export function injectFaults(services: Pick<Services, 'faults' | 'storage' | 'logger'>): MiddlewareHandler {
  return async (c, next) => {
    if (c.get('session') || isFromForeignPage(c) || !services.faults.mayStrike('api')) return await next();
    const { method, path } = c.req;
    const caller = await claimedCaller(services, c);
    const workspaceId = caller.workspaceId ?? undefined;
    const fault = await services.faults.take({ target: 'api', method, path, workspaceId });
    if (!fault) return await next();
    // Set these values for the request log now: the fault may end the request before a later step sets them.
    note(c, { ...caller, operation: operationOf(c) ?? null, faultId: fault.id });
    services.logger.info({ faultId: fault.id, effect: fault.effect, requestId: c.get('requestId') }, 'fault injected');
    return await strike(fault, c, next);
  };
}

/** Whether a web page sent the request whose origin `--cors` does not allow. Such a page must not use up faults. */
function isFromForeignPage(c: Context): boolean {
  const isForeign = ['cross-site', 'same-site'].includes(c.req.header('Sec-Fetch-Site') ?? '');
  return isForeign && !c.res.headers.has('Access-Control-Allow-Origin');
}

async function strike({ id, effect }: Fault, c: Context, next: () => Promise<void>): Promise<Response | undefined> {
  const { delayMs, status, reset, drop }: ApiFault['effect'] = effect;
  await wait(c, drop ? 0 : delayMs);
  if (reset === 'response' || drop === 'response') await next();
  if (drop) await wait(c, delayMs ?? SILENCE_MS);
  if (reset || drop) cut(c);
  c.header(FAULT_HEADER, id);
  if (status === undefined) {
    await next();
    return undefined;
  }
  if (status === ERROR_STATUSES.RATE_LIMITED || status === ERROR_STATUSES.UNAVAILABLE) {
    c.header(API_HEADERS.retryAfter, '1');
  }
  if (status === ERROR_STATUSES.UNAUTHENTICATED) c.header('WWW-Authenticate', 'Bearer');
  const known = Object.entries(ERROR_STATUSES).find(([, of]) => of === status)?.[0];
  const error = { code: known ?? 'INJECTED_FAULT', message: `The fault ${id} was injected through the control API.` };
  return c.json({ error }, status as ContentfulStatusCode);
}

/** Waits in real time, not in virtual time, because the client waits in real time, too. */
async function wait(c: Context, ms = 0): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: c.req.raw.signal }).catch(() => {});
}

function cut(c: Context): never {
  incomingOf(c)?.socket.resetAndDestroy();
  throw new ConnectionCutError();
}

/** Matches a workspace id. Any other string may be a credential, which the request log must not show. */
const WORKSPACE_ID = new RegExp(`^${ID_PREFIXES.workspace}\\w{1,64}$`);

/** Returns the ids of the request's credential and workspace, without checking the caller's rights. */
async function claimedCaller({ storage }: Pick<Services, 'storage'>, c: Context) {
  const sent = /^\/v1\/workspaces\/([^/]+)/.exec(c.req.path)?.[1] ?? c.req.header(API_HEADERS.workspaceId)?.trim();
  const named = sent !== undefined && WORKSPACE_ID.test(sent) ? sent : null;
  const credential = bearerOf(c.req.header('Authorization'));
  if (credential === undefined) return { credentialId: null, workspaceId: named };
  const row = await storage.read((queries) => findCredential(queries, hashCredential(credential)));
  return { credentialId: row?.id ?? null, workspaceId: named ?? row?.workspace_id ?? null };
}

function operationOf(c: Context): OperationName | undefined {
  const matched = matchedRoutes(c).map(({ method, path }) => `${method} ${path}`);
  const names = Object.keys(operations) as OperationName[];
  return names.find((name) => matched.includes(`${operations[name].method} ${honoPath(operations[name].path)}`));
}
