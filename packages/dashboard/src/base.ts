/** The page's address, from the server's `<base>`. Tests of the rules for URLs run without a page. */
const baseUri = globalThis.document?.baseURI ?? 'http://server.test/dashboard/';

/** Path of the dashboard, with a slash at the end. */
export const dashboardPath = new URL(baseUri).pathname;

/** The server's address: the part before `/v1` and `/_control`, without a slash at the end. */
export const serverUrl = new URL('..', baseUri).href.replace(/\/+$/, '');
