import {
  type ControlOperation,
  type ControlOperationName,
  type ControlParams,
  type ControlResponseOf,
  controlOperations,
} from '@svc/contract/control';
import { controlBodies, controlQueries } from '@svc/contract/control/schemas';
import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import type { Session } from '../../domain/dashboard-session.ts';
import { mediaTypeOf, openStreamedBody, parseJson, readBody, type StreamedBody } from '../body.ts';
import { ApiError, validation } from '../errors.ts';
import { markChanges } from '../mark-changes.ts';
import { honoPath } from '../operation.ts';
import { namesOnce, parseOrThrow, unknownNames } from '../parse.ts';
import type { RequestServices, Services } from '../services.ts';
import { existingWorkspace } from './existing.ts';

type Parsed<Schemas extends Record<string, z.ZodType>, Name> = Name extends keyof Schemas
  ? z.output<Schemas[Name]>
  : undefined;

export interface ControlCall<Name extends ControlOperationName> {
  services: RequestServices;
  path: string;
  params: Readonly<ControlParams<Name>>;
  body: (typeof controlOperations)[Name] extends { streamed: string }
    ? StreamedBody
    : Parsed<typeof controlBodies, Name>;
  query: Parsed<typeof controlQueries, Name>;
  signal: AbortSignal;
  session: Session | undefined;
}

export type ControlHandler<Name extends ControlOperationName> = (
  request: ControlCall<Name>,
) => Promise<ControlResponseOf<Name> | Response>;

export type ControlHandlers = { readonly [Name in ControlOperationName]: ControlHandler<Name> };

export function registerOperation<Name extends ControlOperationName>(
  app: Hono,
  services: Services,
  name: Name,
  handle: ControlHandler<Name>,
): void {
  const operation: ControlOperation = controlOperations[name];
  const { method, path, status, mediaType } = operation;
  const changes = operation.method === 'GET' ? 'nothing' : operation.changes;
  const isStreamed = operation.streamed !== undefined;
  const body = (controlBodies as Partial<Record<string, z.ZodType>>)[name];
  const query = (controlQueries as Partial<Record<string, z.ZodObject>>)[name];
  app.on(method, honoPath(path), async (c: Context) => {
    if (method !== 'GET' && !isStreamed) requireJsonType(c);
    const sentQuery = readControlQuery(query, new URL(c.req.url).searchParams);
    // Do not start a stream for HEAD, because a HEAD response has no body.
    if (mediaType !== undefined && c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': mediaType });
    const request = {
      path: c.req.path,
      params: c.req.param(),
      query: sentQuery,
      body: isStreamed ? openStreamedBody(c) : body && (await readControlBody(c, body)),
      signal: c.req.raw.signal,
      session: c.get('session'),
    } as Omit<ControlCall<Name>, 'services'>;
    const workspaceId = c.req.param('workspaceId');
    const response = await services.timeline.whileCurrent(
      async (sameData) => {
        const bound = { ...services, ...services.onSameData(sameData) };
        if (workspaceId !== undefined) await bound.storage.read((queries) => existingWorkspace(queries, workspaceId));
        return await handle({ ...request, services: bound });
      },
      { triesMax: isStreamed ? 1 : undefined, writes: method !== 'GET' },
    );
    if (changes !== 'nothing' && !('reported' in changes))
      markChanges(services, changes, { ...c.req.param(), ...response });
    return response instanceof Response ? response : c.json(response as object, status as ContentfulStatusCode);
  });
}

/**
 * Seeds and batches of events can be large. So the number of bytes is limited, but not the number of arrays, objects
 * and fields.
 */
const CONTROL_BODY_MAX_BYTES = 64 * 1024 * 1024;

/** A web page can send JSON to another origin only after a preflight request, which the control API rejects. */
function requireJsonType(c: Context): void {
  if (mediaTypeOf(c.req.raw.headers) === 'application/json') return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send "Content-Type: application/json", even without a body.');
}

async function readControlBody<Value>(c: Context, schema: z.ZodType<Value>): Promise<Value> {
  const bytes = await readBody(c, CONTROL_BODY_MAX_BYTES);
  return parseOrThrow(schema, bytes.length === 0 ? {} : parseJson(bytes, Number.POSITIVE_INFINITY), 'body');
}

function readControlQuery(schema: z.ZodObject | undefined, parameters: URLSearchParams): unknown {
  const unknown = unknownNames(namesOnce(parameters), schema?.shape ?? {});
  if (unknown.length > 0) throw validation(`Invalid query: it has unknown parameters: ${unknown.join(', ')}.`);
  return schema && parseOrThrow<unknown>(schema, Object.fromEntries(parameters), 'query');
}
