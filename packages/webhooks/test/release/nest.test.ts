import 'reflect-metadata';
import { Controller, HttpCode, Module, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NodeRequest, WebhookError, type Webhooks } from '@svc/webhooks';
import { createExpressHandler } from '@svc/webhooks/node';
import { expect, it } from 'vitest';
import { postTo } from '../support/http-server.ts';
import { signedMessage } from '../support/message.ts';
import { webhooks as atTestClock } from '../support/receiver.ts';
import { describeFramework, type Mounted } from '../support/receiver-suite.ts';

/** Applies decorators by calling them: NestJS needs legacy decorators, but this repository compiles standard ones. */
function moduleOf(...controllers: (new () => object)[]): new () => object {
  class AppModule {}
  Module({ controllers })(AppModule);
  return AppModule;
}

async function mountBefore(webhooks: Webhooks): Promise<Mounted> {
  const app = await NestFactory.create(moduleOf(), { logger: false });
  app.use('/webhooks', createExpressHandler(webhooks));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { post: (sent) => postTo(`${url}/webhooks`, sent), close: () => app.close() };
}

describeFramework('NestJS, mounted before listen', { mount: mountBefore });

/** The controller of the guide. Its response to a refusal includes the code. */
async function mountController(options: { rawBody?: boolean }): Promise<Mounted> {
  class HooksController {
    async receive(request: NodeRequest): Promise<object> {
      try {
        return { type: (await atTestClock.verifyRequest(request)).event.type };
      } catch (error) {
        if (!WebhookError.is(error)) throw error;
        return { code: error.code };
      }
    }
  }
  const method = Object.getOwnPropertyDescriptor(HooksController.prototype, 'receive') as PropertyDescriptor;
  Controller('webhooks')(HooksController);
  Post()(HooksController.prototype, 'receive', method);
  HttpCode(200)(HooksController.prototype, 'receive', method);
  Req()(HooksController.prototype, 'receive', 0);
  const app = await NestFactory.create(moduleOf(HooksController), { logger: false, ...options });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { post: (sent) => postTo(`${url}/webhooks`, sent), close: () => app.close() };
}

it.each([
  [{ rawBody: true }, { type: 'webhook.ping' }],
  [{}, { code: 'body_not_raw' }],
])('a controller of NestJS with %j gets %j', async (options, expected) => {
  const mounted = await mountController(options);
  const { headers, body } = signedMessage();
  expect(JSON.parse((await mounted.post({ headers, body: String(body) })).body)).toEqual(expected);
  await mounted.close?.();
});
