import type { Readable } from 'node:stream';
import { request } from 'undici';
import { readResponse } from '../control-client/response.ts';
import { traced } from './traced-fetch.ts';

/** A file for the control API, sent while it is read. */
export interface FileToSend {
  /** The server's URL, without `/_control`. */
  baseUrl: string;
  path: string;
  adminToken?: string | undefined;
  contentType: string;
  body: Readable;
}

/** Streams a file to a running server. The upload may take long, so there is no time limit. @throws ControlError */
export async function sendFile({ baseUrl, path, adminToken, contentType, body }: FileToSend): Promise<unknown> {
  const headers = {
    'content-type': contentType,
    ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
  };
  return await readResponse(baseUrl, async () => {
    const options = { method: 'PUT', headers, body, headersTimeout: 0, bodyTimeout: 0 } as const;
    const received = await traced('PUT', baseUrl + path, async () => {
      const { statusCode: status, headers, body: text } = await request(baseUrl + path, options);
      return { status, headers: new Headers(headers as Record<string, string>), text };
    });
    return { status: received.status, text: await received.text.text() };
  });
}
