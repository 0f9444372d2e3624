import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import { type LambdaEvent, toWebhookRequest } from './lambda-event.ts';

/** The answer of a Lambda function, in the form that all four callers take. */
export interface LambdaResult {
  statusCode: number;
  headers: { [name: string]: string };
  /** A load balancer with multi-value headers reads these alone. */
  multiValueHeaders?: { [name: string]: string[] };
  body: string;
  isBase64Encoded: false;
}

/**
 * Makes the handler of a Lambda function that receives webhooks.
 *
 * {@includeCode ../test/documented/lambda.ts#lambda}
 */
export function createLambdaHandler(webhooks: Pick<Webhooks, 'handle'>): (event: LambdaEvent) => Promise<LambdaResult> {
  checkReceiver(webhooks);
  return async (event) => {
    const { status, headers, body } = await webhooks.handle(toWebhookRequest(event));
    const result: LambdaResult = { statusCode: status, headers, body, isBase64Encoded: false };
    if (!event?.multiValueHeaders) return result;
    const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    return { ...result, multiValueHeaders };
  };
}
