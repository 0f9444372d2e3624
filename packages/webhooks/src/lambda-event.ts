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
  const { http } = (event.requestContext ?? {}) as { http?: { method?: string } };
  // Of a header that came twice, `headers` of payload 1.0 has the last value only.
  const headers: HeadersObject = event.multiValueHeaders ?? event.headers ?? {};
  const body = event.body ?? '';
  return {
    method: event.httpMethod ?? http?.method,
    headers,
    body: event.isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}
