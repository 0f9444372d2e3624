import type { HeadersObject } from './headers.ts';
import type { BufferedRequest } from './request.ts';

/**
 * The fields of a Lambda HTTP event that this package reads. The event comes from API Gateway (REST API with payload
 * 1.0, or HTTP API with payload 2.0), from a function URL (payload 2.0), or from an application load balancer with or
 * without multi-value headers.
 */
export interface LambdaEvent {
  /** Present only in payload 1.0 and in load balancer events. */
  httpMethod?: string | undefined;
  /** Present only in payload 2.0, which function URLs also use. */
  requestContext?: object | undefined;
  /** Present only in payload 2.0, which function URLs also use. */
  rawPath?: string | undefined;
  rawQueryString?: string | undefined;
  /** Present only in payload 1.0 and in load balancer events. */
  path?: string | undefined;
  headers?: { [name: string]: string | undefined } | null | undefined;
  multiValueHeaders?: { [name: string]: string[] | undefined } | null | undefined;
  body?: string | null | undefined;
  isBase64Encoded?: boolean | undefined;
}

/** Converts a Lambda HTTP event of any kind into a request for `verifyRequest` or `handle`. */
export function toWebhookRequest(event: LambdaEvent): BufferedRequest {
  // A manual or scheduled invocation may have no event, so use an empty event.
  const given: LambdaEvent = Object(event);
  const { http } = Object(given.requestContext) as { http?: { method?: string } };
  const body = given.body ?? '';
  return {
    method: given.httpMethod ?? http?.method,
    url: urlOf(given),
    headers: headersOf(given),
    // If a middleware parsed the body, the body is not a string, even if `isBase64Encoded` is set. Verification rejects
    // such a body.
    body: given.isBase64Encoded && typeof body === 'string' ? Buffer.from(body, 'base64') : body,
  };
}

/** Returns the path, and the query if the event contains the query as one string. */
function urlOf({ path, rawPath = path, rawQueryString }: LambdaEvent): string | undefined {
  return rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath;
}

/**
 * Returns `multiValueHeaders` if it is not empty, because `headers` has only the last value of a repeated header.
 * Emulators of AWS may leave either of the two objects empty.
 */
function headersOf({ headers, multiValueHeaders }: LambdaEvent): HeadersObject {
  return Object.keys(Object(multiValueHeaders)).length ? { ...multiValueHeaders } : { ...headers };
}
