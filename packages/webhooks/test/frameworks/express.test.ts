import { createExpressHandler } from '@svc/webhooks/node';
import express from 'express';
import { expect, it } from 'vitest';
import { serve } from '../support/http-server.ts';
import { signedMessage } from '../support/message.ts';
import { webhooks as atTestClock } from '../support/receiver.ts';
import { describeFramework } from '../support/receiver-suite.ts';

describeFramework('Express', {
  mount: (webhooks) => serve(express().post('/webhooks', createExpressHandler(webhooks))),
  mountParsed: (webhooks) => serve(express().use(express.json()).post('/webhooks', createExpressHandler(webhooks))),
});

describeFramework('Express, mounted with use', {
  mount: (webhooks) => serve(express().use('/webhooks', createExpressHandler(webhooks)).use(express.json())),
});

it.each([
  ['express.raw()', express.raw({ type: '*/*' })],
  ['express.text()', express.text({ type: '*/*' })],
])('Express verifies the bytes that %s leaves', async (_, parser) => {
  const server = await serve(express().use(parser).post('/webhooks', createExpressHandler(atTestClock)));
  const { headers, body } = signedMessage();
  expect((await server.post({ headers, body: String(body) })).status).toBe(200);
  await server.close?.();
});
