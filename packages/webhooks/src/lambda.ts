/** Receives webhooks in AWS Lambda, behind API Gateway, a function URL or a load balancer. */
export { type LambdaEvent, toWebhookRequest } from './lambda-event.ts';
export { createLambdaHandler, type LambdaContext, type LambdaResult } from './lambda-handler.ts';
