import type { IncomingMessage } from 'node:http';
import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import { closing } from './node-handler.ts';

/** The fields of Koa's context that the handler uses. */
export interface KoaContextFields {
  req: IncomingMessage;
  /** The original path and query, before a mounted application changed the URL. */
  originalUrl?: string;
  /** Koa's own request object, to which body parsers add the parsed body. */
  request: object;
  status: number;
  body: unknown;
  set(headers: { [name: string]: string }): void;
}

/** The third argument of handlers with {@link createKoaHandler}. */
export interface KoaContext {
  ctx: KoaContextFields;
}

/**
 * The requests that the handler has begun to read. The receiver cannot recognize these requests, because each call
 * passes a new object to the receiver.
 */
const begun = new WeakSet<IncomingMessage>();

/**
 * Creates a middleware for one route of Koa. The middleware reads the body itself, so the route needs no body parser.
 *
 * {@includeCode ../test/documented/koa.ts#koa}
 */
export function createKoaHandler(
  webhooks: Pick<Webhooks<KoaContext>, 'handle'>,
): (context: KoaContextFields) => Promise<void> {
  checkReceiver(webhooks);
  return async (context) => {
    const { req } = context;
    const parsed = context.request as { body?: unknown; rawBody?: unknown };
    const request = {
      method: req.method,
      url: req.url,
      originalUrl: context.originalUrl,
      headers: req.headers,
      readableDidRead: req.readableDidRead || begun.has(req),
      iterator(options: { destroyOnReturn: boolean }) {
        begun.add(req);
        return req.iterator(options);
      },
      body: parsed.body,
      rawBody: parsed.rawBody,
    };
    const response = await webhooks.handle(request, { ctx: context });
    context.status = response.status;
    context.set({ ...response.headers, ...closing(req) });
    context.body = response.body;
  };
}
