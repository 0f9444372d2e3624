import type { FastifyPluginAsync } from 'fastify';
import type { Webhooks } from './create-webhooks.ts';
import { closing } from './node-handler.ts';

/** What {@link fastifyWebhooks} takes. */
export interface FastifyWebhooksOptions {
  /** The receiver. */
  webhooks: Pick<Webhooks, 'handle'>;
  /** Path of the route, below the prefix of `register`. `/` unless given. */
  path?: string | undefined;
}

/**
 * Is a Fastify plugin with one route that receives webhooks. Within it, and nowhere else, bodies are left raw.
 *
 * {@includeCode ../test/documented/fastify.ts#fastify}
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (fastify, options) => {
  fastify.removeAllContentTypeParsers();
  // Reads nothing: the receiver does, up to its own bound.
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.post(options.path ?? '/', async (request, reply) => {
    const { status, headers, body } = await options.webhooks.handle(request.raw);
    return reply
      .code(status)
      .headers({ ...headers, ...closing(request.raw) })
      .send(body);
  });
};
