import type { ResponseHeaders } from './platform.ts';
import { strike } from './redact-credential.ts';

/**
 * The parts of a response that help to find the cause of an error. These fields are not enumerable, so `toJSON`, logs
 * and consoles leave them out. The credential is removed from these fields.
 *
 * {@includeCode ../test/documented/errors.ts#evidence}
 */
export interface Evidence {
  /** The first 500 characters of the body. */
  readonly body: string;
  readonly headers: ResponseHeaders;
  /** The URL of the request, without its query. */
  readonly url: string;
  /** The `Content-Type`, without its parameters. Empty if the response has no `Content-Type`. */
  readonly contentType: string;
}

export function evidenceOf(url: string, text: string, headers: ResponseHeaders, credential: string): Evidence {
  return {
    body: strike(text, credential).slice(0, 500),
    headers: new Headers(
      entriesOf(headers).map(([name, value]): [string, string] => [name, strike(value, credential)]),
    ),
    // The caller may have passed the credential as an id.
    url: strike(url, credential).replace(/\?.*/s, ''),
    contentType: strike(headers.get('Content-Type'), credential).replace(/;.*/, ''),
  };
}

/** Returns the headers as pairs, or an empty array if they cannot be iterated. */
export function entriesOf(headers: ResponseHeaders): [name: string, value: string][] {
  return Symbol.iterator in headers ? [...headers] : [];
}

/** Returns the media type, and the title of an HTML page or the start of any other body, without tags. */
export function summaryOf({ body, contentType }: Evidence): string {
  const text = (/<title[^<]*/i.exec(body)?.[0] ?? body).replace(/(<[^>]*>|\s)+/g, ' ').trim();
  return `${contentType || 'no type'}, ${text.slice(0, 60) + (text[60] ? '…' : '') || 'no body'}`;
}
