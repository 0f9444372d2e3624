import type { HeadersObject } from './headers.ts';
import type { BufferedRequest } from './request.ts';

/**
 * What is needed of the events by which Lambda is called over HTTP: API Gateway's REST (payload 1.0) and HTTP APIs (payload 2.0),
 * function URLs (2.0) and application load balancers, with multi-value headers or without.
 */
export interface LambdaEvent {
  /** Payload 1.0 and load balancers. */
  httpMethod?: string | undefined;
  /** Payload 2.0 and function URLs. */
  requestContext?: object | undefined;
  headers?: { [name: string]: string | undefined } | null | undefined;
  multiValueHeaders?: { [name: string]: string[] | undefined } | null | undefined;
  body?: string | null | undefined;
  isBase64Encoded?: boolean | undefined;
}

/** Reads the request out of the event of a Lambda function, in any of its four shapes: to be handed to `verifyRequest` or `handle`. */
export function toWebhookRequest(event: LambdaEvent): BufferedRequest {
  // What calls a function by hand, or on a schedule, may hand over nothing at all.
  const given: LambdaEvent = Object(event);
  const { http } = Object(given.requestContext) as { http?: { method?: string } };
  const body = given.body ?? '';
  return {
    method: given.httpMethod ?? http?.method,
    headers: headersOf(given),
    // A body that a middleware parsed is no text any more, whatever the flag says; it is refused further on.
    body: given.isBase64Encoded && typeof body === 'string' ? Buffer.from(body, 'base64') : body,
  };
}

/** Of a header that came twice, `headers` of payload 1.0 has the last value only; what imitates AWS may leave the other one empty. */
function headersOf({ headers, multiValueHeaders }: LambdaEvent): HeadersObject {
  return Object.keys(Object(multiValueHeaders)).length ? { ...multiValueHeaders } : { ...headers };
}
