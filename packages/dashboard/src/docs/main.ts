import type { ControlResponseOf } from '@svc/contract/control/types';
import { controlPath } from '../data/control-path.ts';
import { ADMIN_SESSION_KEY } from '../data/session-key.ts';
import { anchorsOf } from './anchors.ts';
import { type OpenApiDocument, prepareDocument } from './documents.ts';
import { referenceOptions } from './options.ts';

declare global {
  /** Scalar's script, which docs.html loads first, adds this object. */
  var Scalar: { createApiReference(selector: string, options: object[]): unknown } | undefined;
}

/** The address of this page is `${serverUrl}/docs`. */
const serverUrl = new URL('.', location.href).href.replace(/\/+$/, '');

/** Reads JSON from the server. Returns `undefined` if the server rejects the request. */
async function read<Result>(path: string): Promise<Result | undefined> {
  const session = sessionStorage.getItem(ADMIN_SESSION_KEY);
  const headers = session ? { Authorization: `Bearer ${session}` } : undefined;
  const response = await fetch(serverUrl + path, { ...(headers && { headers }) });
  return response.ok ? ((await response.json()) as Result) : undefined;
}

/**
 * Replaces an anchor such as `#createWebhookEndpoint` with Scalar's form of the anchor, which also names the document
 * and the tag.
 */
function followAnchor(anchors: ReadonlyMap<string, string>): void {
  const anchor = anchors.get(location.hash.slice(1));
  if (anchor !== undefined) history.replaceState(null, '', `#${anchor}`);
}

function chosenTheme(): 'light' | 'dark' | undefined {
  const kept = localStorage.getItem('svc-dashboard.theme');
  return kept === 'light' || kept === 'dark' ? kept : undefined;
}

const theme = chosenTheme();
if (theme) document.documentElement.dataset['theme'] = theme;
const [api, control, info] = await Promise.all([
  read<OpenApiDocument>('/openapi.json'),
  // The server rejects these two requests if it requires an admin token and this tab has no session.
  read<OpenApiDocument>(controlPath('GET', '/openapi.json')),
  read<ControlResponseOf<'readInfo'>>(controlPath('GET', '/info')),
]);
if (globalThis.Scalar && api) {
  const credentials = info?.credentials ?? [];
  const documents = {
    api: prepareDocument(api, serverUrl, credentials),
    ...(control && { control: prepareDocument(control, serverUrl, credentials) }),
  };
  const anchors = anchorsOf(documents);
  followAnchor(anchors);
  // This listener runs before Scalar's own listener, so Scalar sees the replaced anchor.
  addEventListener('hashchange', () => followAnchor(anchors));
  globalThis.Scalar.createApiReference('#reference', referenceOptions(documents, credentials, theme));
} else {
  document.getElementById('reference')?.append('Cannot load the API reference. Reload the page.');
}
