import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import { closing } from './node-handler.ts';

/** The third argument of handlers with {@link fastifyWebhooks}. */
export interface FastifyContext {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Options for {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The receiver to which the plugin passes requests. */
  webhooks: Pick<Webhooks<FastifyContext>, 'handle'>;
  /** The path of the route, after the `prefix` option of `register`. The default is `/`. */
  path?: string | undefined;
}

/**
 * A plugin for Fastify 4 or 5 with one route that receives webhooks. The plugin leaves bodies raw only on this route.
 *
 * {@includeCode ../test/documented/fastify.ts#fastify}
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (fastify, options) => {
  checkReceiver(options.webhooks);
  fastify.removeAllContentTypeParsers();
  // Do not parse or limit the body, because the receiver reads the raw body up to its own limit.
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.post(options.path ?? '/', async (request, reply) => {
    const { status, headers, body } = await options.webhooks.handle(request.raw, { request, reply });
    return reply
      .code(status)
      .headers({ ...headers, ...closing(request.raw) })
      .send(body);
  });
};
