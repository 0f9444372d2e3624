import { RESPONSE_BODY_KEPT_BYTES, RESPONSE_HEADERS_KEPT } from '@svc/contract';
import { GrowingBuffer } from '../../runtime/growing-buffer.ts';
import type { ReceiverResponse, SendAttempt } from './attempt-request.ts';

/** The bytes to store per workspace and minute of real time. Further responses are shortened and not counted. */
const RESPONSES_KEPT_PER_MINUTE = 16 * 1024 * 1024;
/** A shortened response keeps at most this many bytes of headers, and at most this many bytes of the body. */
const FURTHER_RESPONSE_KEPT = 1024;

/**
 * Keeps the first headers: at most 100, and at most `maxBytes` (default: 16 KiB) of names and values in UTF-8. Converts
 * names to lower case, and joins the values of headers with the same name.
 */
export function keptHeaders(
  entries: Iterable<[string, string | string[] | undefined]>,
  maxBytes: number = RESPONSE_HEADERS_KEPT.bytes,
): Record<string, string> {
  const kept = new Map<string, string>();
  let bytes = 0;
  for (const [given, value] of entries) {
    const name = given.toLowerCase();
    const text = typeof value === 'string' ? value : (value ?? []).join(', ');
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text);
    if (kept.size === RESPONSE_HEADERS_KEPT.count || bytes > maxBytes) break;
    const earlier = kept.get(name);
    kept.set(name, earlier === undefined ? text : `${earlier}, ${text}`);
  }
  return Object.fromEntries(kept);
}

/**
 * Limits the stored bytes of responses, so that a tenant with many endpoints cannot fill the disk. `now` is monotonic.
 */
export function limitResponses(send: SendAttempt, now: () => number): SendAttempt {
  let minuteEndsAt = Number.NEGATIVE_INFINITY;
  const keptOf = new Map<string, number>();
  return async (request, delivery) => {
    const result = await send(request, delivery);
    if ('shortage' in result || !result.response) return result;
    if (now() >= minuteEndsAt) {
      minuteEndsAt = now() + 60_000;
      keptOf.clear();
    }
    const kept = (keptOf.get(delivery.workspaceId) ?? 0) + bytesOfResponse(result.response);
    if (kept > RESPONSES_KEPT_PER_MINUTE) return { ...result, response: shortened(result.response) };
    keptOf.set(delivery.workspaceId, kept);
    return result;
  };
}

export const bytesOfResponse = ({ headers, body }: ReceiverResponse): number =>
  bytesOfHeaders(headers) + Buffer.byteLength(body);

export function bytesOfHeaders(headers: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  return bytes;
}

const shortened = ({ status, headers, body }: ReceiverResponse): ReceiverResponse => ({
  status,
  headers: keptHeaders(Object.entries(headers), FURTHER_RESPONSE_KEPT),
  body: firstPart(body),
});

const encoder = new TextEncoder();
const firstBytes = new Uint8Array(FURTHER_RESPONSE_KEPT);

const firstPart = (text: string): string => text.slice(0, encoder.encodeInto(text, firstBytes).read);

/** Limits the number of small parts in a body, because even a part of one byte takes time to parse. */
const SMALL_PARTS_MAX = 1024;
const SMALL_PART_BYTES = 64;

/** Collects up to 64 KiB of a body, with at most 1,024 small parts. */
export function createBodyKeeper() {
  const kept = new GrowingBuffer(RESPONSE_BODY_KEPT_BYTES);
  let smallParts = 0;
  return {
    /** Returns whether there is still room for more of the body. */
    add(chunk: Uint8Array): boolean {
      kept.append(chunk.subarray(0, RESPONSE_BODY_KEPT_BYTES - kept.length));
      if (chunk.length < SMALL_PART_BYTES) smallParts++;
      return kept.length < RESPONSE_BODY_KEPT_BYTES && smallParts < SMALL_PARTS_MAX;
    },
    /** Replaces invalid UTF-8, and also NUL, because not every database can store NUL in a string. */
    text: () => kept.bytes().toString('utf8').replaceAll('\0', '\uFFFD'),
  };
}
