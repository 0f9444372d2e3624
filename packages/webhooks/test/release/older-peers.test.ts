import { expect, it } from 'vitest';
import { createNpmProject } from '../support/npm-project.ts';

it('npm installs the package beside the previous major versions of zod and Fastify, and it works with them', () => {
  using project = createNpmProject('zod@3', 'fastify@4');
  project.write({
    'program.mjs': `
      import { createRequire } from 'node:module';
      import { createWebhooks } from '@svc/webhooks';
      import { fastifyWebhooks } from '@svc/webhooks/fastify';
      import { eventSchema, pingEventSchema } from '@svc/webhooks/schemas';
      import { generateSecret, sampleEvent, signWebhook } from '@svc/webhooks/testing';
      import fastify from 'fastify';
      const require = createRequire(import.meta.url);
      const majors = ['zod', 'fastify'].map((name) => Number.parseInt(require(name + '/package.json').version));
      const ping = sampleEvent('webhook.ping');
      const parsed = [
        pingEventSchema.safeParse(ping).success,
        pingEventSchema.safeParse({ ...ping, subject: {} }).success,
        require('@svc/webhooks/schemas').eventSchema.safeParse({ ...ping, created: 5 }).success,
        eventSchema.safeParse({ ...ping, type: 'profile.merged' }).success,
      ];
      const secret = generateSecret();
      const webhooks = createWebhooks({ secrets: secret });
      const contexts = [];
      webhooks.on('*', (_event, _delivery, context) => void contexts.push(Object.keys(context)));
      const app = fastify();
      app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
      const statuses = [];
      for (const secrets of [secret, generateSecret()]) {
        const { headers, body: payload } = signWebhook({ secrets });
        statuses.push((await app.inject({ method: 'POST', url: '/webhooks', headers, payload })).statusCode);
      }
      console.log(JSON.stringify({ majors, parsed, statuses, contexts }));`,
  });
  expect(JSON.parse(project.run(['program.mjs']))).toEqual({
    majors: [3, 4],
    parsed: [true, false, false, true],
    statuses: [200, 401],
    contexts: [['request', 'reply']],
  });
});
