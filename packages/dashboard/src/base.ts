/** Path of the dashboard, with a slash at the end. The server puts it into the page's `<base>`. */
export const dashboardPath = new URL(document.baseURI).pathname;

/** Where the server is: what comes before `/v1` and `/_control`, without a slash at the end. */
export const serverUrl = new URL('..', document.baseURI).href.replace(/\/+$/, '');
