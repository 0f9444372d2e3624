/** The dashboard's address, from the page's `<base>`, or a fixed address for tests that have no page. */
const baseUri = globalThis.document?.baseURI ?? 'http://server.test/dashboard/';

/** The path of the dashboard, with a slash at the end. */
export const dashboardPath = new URL(baseUri).pathname;

/** The server's address: the part of its URLs before `/v1` or `/_control`, without a slash at the end. */
export const serverUrl = new URL('..', baseUri).href.replace(/\/+$/, '');
