import type { Step } from './scripted-server.ts';

const DEFAULT_HEADERS = { 'content-type': 'application/json', 'service-request-id': 'req_test' };

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { ...DEFAULT_HEADERS, ...headers }).end(JSON.stringify(body));

/** Answers with an error of the service. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  json({ error: { code, message: `It is ${code}` } }, status, headers);

/** Answers with a text. */
export const text =
  (body: string, status = 200, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Announces more than it sends, and closes the connection in the middle of the body. */
export const cutOff: Step = (response) => {
  response.writeHead(200, { ...DEFAULT_HEADERS, 'content-length': '1000' });
  response.write('{"workspace":');
  setTimeout(() => response.destroy(), 5);
};

/** Closes the connection without a response. */
export const hangUp: Step = (response) => response.destroy();

/** Never answers. */
export const silence: Step = () => {};

/** Answers with a page of a list; the URLs are paths on the server. */
export const page =
  (data: unknown[], nextPageUrl: string | null = null, previousPageUrl: string | null = null): Step =>
  (response, request, origin) => {
    const absolute = (url: string | null) => (url?.startsWith('/') ? origin + url : url);
    json({ data, nextPageUrl: absolute(nextPageUrl), previousPageUrl: absolute(previousPageUrl) })(
      response,
      request,
      origin,
    );
  };
