import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import type { Session } from '../../domain/session.ts';
import type { Changed } from '../../runtime/changes.ts';
import { parseOrThrow } from '../parse.ts';
import type { Services } from '../services.ts';
import { openStreamedBody, type StreamedBody } from '../streamed-body.ts';
import { readControlBody } from './json.ts';

/** A call of the control API: its input, its answer and its handler. The OpenAPI document is made from it too. */
export interface ControlOperation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces. */
  path: string;
  /** In the imperative, short enough for a heading. */
  summary: string;
  /** What the summary leaves out, in sentences. */
  description?: string;
  body?: z.ZodType;
  /** The item of a streamed body, which is a JSON array or NDJSON. */
  streamed?: z.ZodType;
  query?: z.ZodObject;
  status: 200 | 201;
  /** The schema of the answer, or of each line of an NDJSON answer. */
  answer: z.ZodType;
  /** The answer's media type. Default: JSON. */
  mediaType?: string;
  /** What the call changes, for listeners. */
  changes?: Changed;
  /** Descriptions of other statuses. */
  refusals?: Readonly<Record<number, string>>;
  register(app: Hono, services: Services): void;
}

/** The parsed input of a call's handler. */
export interface ControlRequest<Body, Query> {
  services: Services;
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
  signal: AbortSignal;
  /** The admin session of the request. */
  session: Session | undefined;
  /** Opens a streamed body. */
  openBody(): StreamedBody;
}

interface Definition<Body extends z.ZodType, Query extends z.ZodObject>
  extends Omit<ControlOperation, 'register' | 'body' | 'query'> {
  body?: Body;
  query?: Query;
  /** Returns the answer's body, or a whole answer if it has a different status. */
  handle(request: ControlRequest<z.output<Body>, z.output<Query>>): Promise<object>;
}

/** A call that keeps the types of its schemas. */
type Typed<Method, Path, Body, Query, Answer> = ControlOperation & {
  readonly method: Method;
  readonly path: Path;
  readonly body?: Body;
  readonly query?: Query;
  readonly answer: Answer;
};

/** Types a call by its schemas. */
export function controlOperation<
  const Method extends ControlOperation['method'],
  const Path extends string,
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
  definition: Definition<Body, Query> & { method: Method; path: Path; answer: Answer },
): Typed<Method, Path, Body, Query, Answer> {
  const { handle, ...operation } = definition;
  const { method, path, body, query, status } = operation;
  const serve = (services: Services) => async (c: Context) => {
    await services.timeline.ensureCurrent();
    const answer = await handle({
      services,
      params: c.req.param(),
      body: (body && (await readControlBody(c, body))) as z.output<Body>,
      query: (query && parseOrThrow(query, c.req.query(), 'query')) as z.output<Query>,
      signal: c.req.raw.signal,
      session: c.get('session'),
      openBody: () => openStreamedBody(c),
    });
    if (operation.changes) services.changes.mark(operation.changes);
    return answer instanceof Response ? answer : c.json(answer, status as ContentfulStatusCode);
  };
  const register: ControlOperation['register'] = (app, services) =>
    void app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), serve(services));
  return { ...operation, register } as unknown as Typed<Method, Path, Body, Query, Answer>;
}
