import type { FastifyPluginAsync } from 'fastify';
import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import { closing } from './node-handler.ts';

/** Options of {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The receiver. */
  webhooks: Pick<Webhooks, 'handle'>;
  /** The path of the route, below the prefix of `register`. The default is `/`. */
  path?: string | undefined;
}

/**
 * A Fastify plugin with one route that receives webhooks. It leaves bodies raw, but only on its own route.
 *
 * {@includeCode ../test/documented/fastify.ts#fastify}
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (fastify, options) => {
  checkReceiver(options.webhooks);
  fastify.removeAllContentTypeParsers();
  // The receiver reads the body, up to its own limit.
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.post(options.path ?? '/', async (request, reply) => {
    const { status, headers, body } = await options.webhooks.handle(request.raw);
    return reply
      .code(status)
      .headers({ ...headers, ...closing(request.raw) })
      .send(body);
  });
};
