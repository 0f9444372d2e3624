/** Receives webhooks with `node:http`, Express and Koa. */

export { createKoaHandler, type KoaContext } from './koa-handler.ts';
export { createExpressHandler, createNodeHandler } from './node-handler.ts';
