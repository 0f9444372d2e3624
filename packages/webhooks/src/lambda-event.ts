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
    // A body that a middleware parsed is no text any more, whatever the flag says; it is refused further on.
    body: event.isBase64Encoded && typeof body === 'string' ? Buffer.from(body, 'base64') : body,
  };
}
