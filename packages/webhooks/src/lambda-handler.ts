import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import { type LambdaEvent, toWebhookRequest } from './lambda-event.ts';

/** The response of a Lambda function, in the form that API Gateway, function URLs and load balancers accept. */
export interface LambdaResult {
  statusCode: number;
  headers: { [name: string]: string };
  /** A copy of the headers, because a load balancer with multi-value headers reads only this field. */
  multiValueHeaders?: { [name: string]: string[] };
  body: string;
  isBase64Encoded: false;
}

/** The third argument of handlers with {@link createLambdaHandler}. */
export interface LambdaContext {
  event: LambdaEvent;
  /**
   * The second argument that Lambda passes to its handler, with fields such as `awsRequestId` and
   * `getRemainingTimeInMillis`.
   */
  context: unknown;
}

/**
 * Creates the handler of a Lambda function that receives webhooks. Throws `TypeError` for a receiver with
 * `ack: 'first'`, because AWS freezes the function as soon as it has responded, and the receiver's handlers would
 * stop.
 *
 * {@includeCode ../test/documented/lambda.ts#lambda}
 */
export function createLambdaHandler(
  webhooks: Pick<Webhooks<LambdaContext>, 'handle'> & { readonly ack?: 'after' | 'first' },
): (event: LambdaEvent, context?: unknown) => Promise<LambdaResult> {
  checkReceiver(webhooks);
  if (webhooks.ack === 'first') {
    throw new TypeError(
      "Lambda freezes a function as soon as it has responded, so ack: 'first' would lose events. Queue the work, for example in SQS",
    );
  }
  return async (event, context) => {
    const { status, headers, body } = await webhooks.handle(toWebhookRequest(event), { event, context });
    const result: LambdaResult = { statusCode: status, headers, body, isBase64Encoded: false };
    if (!event?.multiValueHeaders) return result;
    const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    return { ...result, multiValueHeaders };
  };
}
