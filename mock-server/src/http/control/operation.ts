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
import type { Session } from '../../domain/session.ts';
import { honoPath } from '../hono-path.ts';
import { markChanges } from '../mark-changes.ts';
import type { Services } from '../services.ts';
import { openStreamedBody, type StreamedBody } from '../streamed-body.ts';
import { readControlBody, requireJsonType } from './json.ts';
import { readControlQuery } from './query.ts';

type Parsed<Schemas extends Record<string, z.ZodType>, Name> = Name extends keyof Schemas
  ? z.output<Schemas[Name]>
  : undefined;

/** The parsed input of an operation's handler. */
export interface ControlRequest<Name extends ControlOperationName> {
  services: Services;
  /** The path as sent. */
  path: string;
  params: Readonly<ControlParams<Name>>;
  /** Not parsed if it is streamed. */
  body: (typeof controlOperations)[Name] extends { streamed: string } ? undefined : Parsed<typeof controlBodies, Name>;
  query: Parsed<typeof controlQueries, Name>;
  signal: AbortSignal;
  /** The admin session of the request. */
  session: Session | undefined;
  /** Opens a streamed body. */
  openBody(): StreamedBody;
}

/** Handles one operation: returns the body of a success, or a whole response if it has a different status or type. */
export type ControlHandler<Name extends ControlOperationName> = (
  request: ControlRequest<Name>,
) => Promise<ControlResponseOf<Name> | Response>;

/** A handler for each operation of the control API. */
export type ControlHandlers = { readonly [Name in ControlOperationName]: ControlHandler<Name> };

/** Registers an operation of the control API with its handler. */
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
  const body = isStreamed ? undefined : schemaIn<z.ZodType>(controlBodies, name);
  const query = schemaIn<z.ZodObject>(controlQueries, name);
  app.on(method, honoPath(path), async (c: Context) => {
    // A streamed body has its own media types.
    if (method !== 'GET' && !isStreamed) requireJsonType(c);
    await services.timeline.ensureCurrent();
    const sentQuery = readControlQuery(query, new URL(c.req.url).searchParams);
    // Nobody would read the stream, so it must not begin.
    if (mediaType !== undefined && c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': mediaType });
    const response = await handle({
      services,
      path: c.req.path,
      params: c.req.param(),
      query: sentQuery,
      body: body && (await readControlBody(c, body)),
      signal: c.req.raw.signal,
      session: c.get('session'),
      openBody: () => openStreamedBody(c),
    } as ControlRequest<Name>);
    if (changes !== 'nothing' && !('reported' in changes))
      markChanges(services, changes, { ...c.req.param(), ...response });
    return response instanceof Response ? response : c.json(response as object, status as ContentfulStatusCode);
  });
}

/** The schema of an operation, if it has one. */
const schemaIn = <Schema>(schemas: Readonly<Record<string, Schema>>, name: string) =>
  Object.hasOwn(schemas, name) ? schemas[name] : undefined;
