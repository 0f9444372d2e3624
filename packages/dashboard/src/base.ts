/**
 * The page's address, from the server's `<base>`. Tests of the URL rules run without a page, so the address may be
 * missing.
 */
const baseUri = globalThis.document?.baseURI ?? 'http://server.test/dashboard/';

/** Path of the dashboard, with a slash at the end. */
export const dashboardPath = new URL(baseUri).pathname;

/** The server's address: the part before `/v1` and `/_control`, without a slash at the end. */
export const serverUrl = new URL('..', baseUri).href.replace(/\/+$/, '');
