import { DELIVERY_TIMEOUT_MS, RESPONSE_BODY_KEPT_BYTES, RESPONSE_HEADERS_KEPT } from '@svc/contract';
import { timeoutText } from '../src/delivery/sending/attempt-error.ts';
import type { ReceiverResponse, SendResult, Shortage } from '../src/delivery/sending/attempt-request.ts';

export type ReceiverResult = Exclude<SendResult, Shortage>;

export const TIMED_OUT = timeoutText(DELIVERY_TIMEOUT_MS);

const response = (status: number, headers: Record<string, string> = {}, body = ''): ReceiverResponse => ({
  status,
  headers,
  body,
});

const manyHeaders = Object.fromEntries(
  Array.from({ length: RESPONSE_HEADERS_KEPT.count }, (_, index) => [`x-${index}`, 'a']),
);

/** The results of attempts to a hostile receiver, as `send-over-network.ts` reports them. */
export const HOSTILE_RESULTS: readonly ReceiverResult[] = [
  // Responses that ask the sender to change its schedule or its address.
  { response: response(301, { location: 'https://elsewhere.test/' }) },
  { response: response(307, { location: '/' }) },
  { response: response(410) },
  { response: response(429, { 'retry-after': '3600' }) },
  { response: response(503, { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }) },
  // An endless body, which counts as complete after its first 64 KiB.
  { response: response(200, {}, 'x'.repeat(RESPONSE_BODY_KEPT_BYTES)) },
  { response: response(500, manyHeaders, 'x'.repeat(RESPONSE_BODY_KEPT_BYTES)) },
  // A failed attempt with a response body that looks like a success, and a successful attempt with a body that was not
  // valid UTF-8.
  { response: response(600, {}, '{"status":200}') },
  { response: response(299, {}, '\uFFFD\uFFFD') },
  // The attempt fails before the receiver has sent a valid status line and headers.
  { error: 'Invalid HTTP response' },
  { error: 'Response headers too large' },
  { error: 'Connection reset' },
  { error: 'TLS: handshake failed' },
  // The connection ends in the middle of the body, the body is invalid, or the response does not end in time.
  { error: 'Connection reset', response: response(200, { 'content-length': '15' }, '{"ok":') },
  { error: 'Invalid HTTP response', response: response(204, { 'transfer-encoding': 'chunked' }) },
  { error: TIMED_OUT, response: response(200, {}, 'slowly') },
  { error: TIMED_OUT },
];
