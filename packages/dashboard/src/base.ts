/** The page's address, as the server's `<base>` has it. Rules that make URLs are tested where there is no page. */
const baseUri = globalThis.document?.baseURI ?? 'http://server.test/dashboard/';

/** Path of the dashboard, with a slash at the end. */
export const dashboardPath = new URL(baseUri).pathname;

/** Where the server is: what comes before `/v1` and `/_control`, without a slash at the end. */
export const serverUrl = new URL('..', baseUri).href.replace(/\/+$/, '');
