import {
  API_HEADERS,
  type BodyOf,
  type Operation,
  type OperationName,
  operations,
  type PathParameters,
  type QueryOf,
  RATE_LIMIT_REQUESTS,
  type ResponseOf,
} from '@svc/contract';
import { bodySchemas } from '@svc/contract/schemas';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SameData } from '../storage/checked-writes.ts';
import { authenticate, type Caller, resolveScope, type Scope } from './authentication.ts';
import { parseJson, readBody, readOptionalBody } from './body.ts';
import { ApiError } from './errors.ts';
import { bearerOf, incomingOf } from './incoming.ts';
import { markChanges } from './mark-changes.ts';
import { ignoredInput, parseOrThrow, readQuery } from './parse.ts';
import { note } from './request-log.ts';
import type { ApiServices, Services } from './services.ts';

interface OperationRequest<Name extends OperationName> {
  services: ApiServices;
  caller: Caller;
  /** The scope is `undefined` only if the operation needs no workspace and the request names no workspace. */
  scope: ScopeOf<Name>;
  params: Record<PathParameters<(typeof operations)[Name]['path']>, string>;
  query: QueryOf<Name>;
  body: BodyOf<Name>;
  path: string;
}

type ScopeOf<Name extends OperationName> = (typeof operations)[Name]['scope'] extends 'none'
  ? Scope | undefined
  : Scope;

/** Larger bodies are parsed one after another, because parsing can take 30 ms. */
const LARGE_BODY_BYTES = 16 * 1024;
const SEEN_BODY_MAX_BYTES = 64 * 1024;
/** On SQLite, these reads may block the event loop for tens of milliseconds. */
const LONG_READS = new Set<OperationName>(['search', 'listWebhookEndpoints', 'retrieveWebhookDelivery']);

export type Handler<Name extends OperationName> = (request: OperationRequest<Name>) => Promise<ResponseOf<Name>>;

type Identified = Awaited<ReturnType<typeof identifyCaller>>;

/** The server checks the caller again after this time, or if the body was still arriving at the first check. */
const CHECK_VALID_MS = 1_000;

/** Checks the credential, rate limit, body type, size, scope, role, JSON syntax, query and fields, in this order. */
export function serveOperation<Name extends OperationName>(services: Services, name: Name, handler: Handler<Name>) {
  const operation: Operation = operations[name];
  const { limits } = services;
  const writes = operation.method !== 'GET';
  const kind = writes ? 'writes' : LONG_READS.has(name) ? 'longReads' : 'reads';
  const identify = (c: Context) => identifyCaller(services, c);
  async function authorize(c: Context, caller: Caller): Promise<Scope | undefined> {
    const scope = await resolveScope(services, operation, caller, {
      inPath: operation.scope === 'path' ? c.req.param('workspaceId') : undefined,
      inHeader: c.req.header(API_HEADERS.workspaceId)?.trim() || undefined,
    });
    note(c, { workspaceId: scope?.workspaceId ?? null });
    return scope;
  }
  async function respond(c: Context, first: Identified): Promise<Response> {
    const { caller } = first;
    const session = c.get('session');
    if (!session) await admit(services, caller, c);
    const bytes = operation.body === null ? await readOptionalBody(c) : await readBody(c);
    const scope = await authorize(c, caller);
    const tenant = scope?.workspaceId ?? first.owner;
    if (bytes.length > 0) note(c, { requestBody: Buffer.from(bytes.subarray(0, SEEN_BODY_MAX_BYTES)).toString() });
    const parse = async () => parseInput(services, c, bytes, { operation: name, credentialId: caller.credentialId });
    const isLarge = bytes.length > LARGE_BODY_BYTES;
    const { query, body } = await (isLarge ? limits.largeBodies(tenant, parse) : parse());
    const handleOnce = async (sameData: SameData) => {
      // The credential and the role may change while the body arrives or the request waits. After a reset, the
      // credential may belong to another tenant.
      const isOld = !first.hasArrived || performance.now() - first.checkedAt > CHECK_VALID_MS;
      const mustCheck = isOld || sameData !== first.sameData;
      const now = mustCheck ? await identify(c) : first;
      const scopeNow = mustCheck ? await authorize(c, now.caller) : scope;
      const result = await handler({
        services: {
          ...services,
          ...services.onSameData(now.sameData),
          ...(session && { publicUrl: () => session.baseUrl }),
        },
        caller: now.caller,
        scope: scopeNow,
        params: c.req.param(),
        query,
        body,
        path: c.req.path,
      } as unknown as OperationRequest<Name>);
      // If the data was reset, discard the result of a read: it may contain the new data. A write has already
      // checked for a reset in its transaction, and must not fail after its commit.
      if (!writes) await now.sameData.checkRead();
      return result;
    };
    const quota = scope ? limits[kind] : limits.users;
    const [response, text] = await quota(tenant, async () => {
      const result = await services.timeline.whileCurrent(handleOnce, { sameData: first.sameData, writes });
      return [result, JSON.stringify(result)] as const;
    });
    const { changes = 'nothing' } = operation;
    if (changes !== 'nothing') markChanges(services, changes, { ...c.req.param(), ...response });
    note(c, { responseBody: text });
    return c.body(text, operation.status as ContentfulStatusCode, { 'Content-Type': 'application/json' });
  }
  return async (c: Context): Promise<Response> => {
    note(c, { operation: name });
    return await limits.credentials.serve(
      c,
      () => identify(c),
      (identified) => respond(c, identified),
    );
  };
}

async function identifyCaller(services: Services, c: Context) {
  // Clear the earlier result: if the credential is no longer valid, the log must not show the request in a workspace.
  note(c, { credentialId: null, workspaceId: null });
  // Create `sameData` before looking up the credential, so that the caller is identified again if the data is replaced.
  const sameData = services.timeline.expectSameData();
  const authorization = c.req.header('Authorization');
  // Read the session again, because a reset ends all sessions.
  const session = c.get('session') && (await services.sessions.read(bearerOf(authorization) ?? ''));
  const caller = await authenticate(services, authorization, session);
  note(c, { credentialId: caller.credentialId });
  const owner = caller.kind === 'api_key' ? caller.workspaceId : caller.userId;
  return { caller, owner, sameData, checkedAt: performance.now(), hasArrived: incomingOf(c)?.complete ?? true };
}

/** Reports unknown parameters and fields even if the input is invalid. */
function parseInput(
  services: Services,
  c: Context,
  bytes: Uint8Array,
  from: { operation: OperationName; credentialId: string },
) {
  const operation: Operation = operations[from.operation];
  const parameters = new URL(c.req.url).searchParams;
  const sent = operation.body ? parseJson(bytes) : parseUnused(bytes);
  const ignored = ignoredInput(operation, sent, parameters, services.redact);
  note(c, { ignored });
  if (ignored.length > 0) {
    if (services.local) c.header(API_HEADERS.ignored, ignored.join(', '));
    const due = ignored.filter((name) => services.isWarningDue(`${from.credentialId} ${name}`));
    const about = { requestId: c.get('requestId'), ...from };
    if (due.length > 0) services.logger.warn(about, `ignored unknown input: ${due.join(', ')}`);
  }
  const query = readQuery(operation, parameters);
  const body = operation.body && parseOrThrow<unknown>(bodySchemas[operation.body], sent, 'body');
  return { query, body };
}

function parseUnused(bytes: Uint8Array): unknown {
  try {
    return bytes.length > 0 ? parseJson(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws 429 if the limit is exceeded. */
async function admit(services: Services, caller: Caller, c: Context): Promise<void> {
  if (!services.limits.rate) return;
  const limit = RATE_LIMIT_REQUESTS[caller.kind];
  const { taken, endsInMs } = await services.limits.rate(caller.credentialId, limit);
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000));
  c.header(API_HEADERS.rateLimitPolicy, `"default";q=${limit};w=60`);
  c.header(API_HEADERS.rateLimit, `"default";r=${Math.max(0, limit - taken)};t=${seconds}`);
  if (taken <= limit) return;
  throw new ApiError('RATE_LIMITED', `Over ${limit} requests in 60 seconds; wait ${seconds} s.`, {
    [API_HEADERS.retryAfter]: String(seconds),
  });
}

/** Converts `/v1/users/{userId}` to `/v1/users/:userId`. */
export const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');
