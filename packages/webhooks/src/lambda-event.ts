import type { HeadersObject } from './headers.ts';
import type { BufferedRequest } from './request.ts';

/**
 * The fields of a Lambda HTTP event that this package reads. The event comes from a REST API (payload 1.0) or HTTP API
 * (payload 2.0) of API Gateway, a function URL (2.0), or an application load balancer with or without multi-value
 * headers.
 */
export interface LambdaEvent {
  /** Payload 1.0 and load balancers. */
  httpMethod?: string | undefined;
  /** Payload 2.0 and function URLs. */
  requestContext?: object | undefined;
  /** Payload 2.0 and function URLs. */
  rawPath?: string | undefined;
  rawQueryString?: string | undefined;
  /** Payload 1.0 and load balancers. */
  path?: string | undefined;
  headers?: { [name: string]: string | undefined } | null | undefined;
  multiValueHeaders?: { [name: string]: string[] | undefined } | null | undefined;
  body?: string | null | undefined;
  isBase64Encoded?: boolean | undefined;
}

/** Converts any of the four events of a Lambda function into a request for `verifyRequest` or `handle`. */
export function toWebhookRequest(event: LambdaEvent): BufferedRequest {
  // A manual or scheduled invocation may have no event, so use an empty one.
  const given: LambdaEvent = Object(event);
  const { http } = Object(given.requestContext) as { http?: { method?: string } };
  const body = given.body ?? '';
  return {
    method: given.httpMethod ?? http?.method,
    url: urlOf(given),
    headers: headersOf(given),
    // If a middleware parsed the body, it is not a string, although the flag may be set. Verification rejects it.
    body: given.isBase64Encoded && typeof body === 'string' ? Buffer.from(body, 'base64') : body,
  };
}

/** The path, with the query if the event has it as one string. */
function urlOf({ path, rawPath = path, rawQueryString }: LambdaEvent): string | undefined {
  return rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath;
}

/** Prefers `multiValueHeaders`: for a repeated header, `headers` has only the last value. Imitations of AWS may leave one empty. */
function headersOf({ headers, multiValueHeaders }: LambdaEvent): HeadersObject {
  return Object.keys(Object(multiValueHeaders)).length ? { ...multiValueHeaders } : { ...headers };
}
