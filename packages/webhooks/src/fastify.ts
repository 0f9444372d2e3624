import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import { closing } from './node-handler.ts';

/** What handlers get as third argument from {@link fastifyWebhooks}. */
export interface FastifyContext {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Options for {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The receiver. */
  webhooks: Pick<Webhooks<FastifyContext>, 'handle'>;
  /** The path of the route, below the prefix of `register`. The default is `/`. */
  path?: string | undefined;
}

/**
 * A plugin for Fastify 4 or 5 with one route that receives webhooks. It leaves bodies raw, but only on its own route.
 *
 * {@includeCode ../test/documented/fastify.ts#fastify}
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (fastify, options) => {
  checkReceiver(options.webhooks);
  fastify.removeAllContentTypeParsers();
  // The receiver reads the body, up to its own limit.
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.post(options.path ?? '/', async (request, reply) => {
    const { status, headers, body } = await options.webhooks.handle(request.raw, { request, reply });
    return reply
      .code(status)
      .headers({ ...headers, ...closing(request.raw) })
      .send(body);
  });
};
