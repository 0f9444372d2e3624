/** Receives webhooks with `node:http`, Express and Koa. */

export { createKoaHandler, type KoaContext, type KoaContextFields } from './koa-handler.ts';
export { createExpressHandler, createNodeHandler, type NodeContext } from './node-handler.ts';
