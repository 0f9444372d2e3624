/** Tests have no page with a `<base>`, so they use a fixed address. */
const baseUri = globalThis.document?.baseURI ?? 'http://server.test/dashboard/';

/** The path at which the server serves the dashboard, with a slash at the end. */
export const dashboardPath = new URL(baseUri).pathname;

/** The part of URLs before `/v1` or `/_control`, without a slash at the end. */
export const serverUrl = new URL('..', baseUri).href.replace(/\/+$/, '');
