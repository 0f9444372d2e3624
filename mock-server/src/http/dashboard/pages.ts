import { ReadableStream } from 'node:stream/web';
import type { Context, Hono, Next } from 'hono';
import { accepts } from 'hono/accepts';
import { hostOf } from '../incoming.ts';
import type { Services } from '../services.ts';
import { type DashboardFiles, dashboardFiles } from './files.ts';
import { ASSET_HEADERS, DOCS_HEADERS, PAGE_HEADERS } from './policy.ts';

const PIECE_BYTES = 64 * 1024;

/** The server replaces this element of the built page. */
const BASE_PLACEHOLDER = '<base href="/dashboard/" />';

/** The pages contain no data, so they need no credential. */
export function registerDashboard(app: Hono, services: Services): void {
  const dashboardPath = () => `${new URL(services.publicUrl()).pathname.replace(/\/+$/, '')}/dashboard`;

  const serve =
    (respond: (c: Context, files: DashboardFiles) => Response | Promise<Response>) =>
    async (c: Context): Promise<Response> => {
      const refused = refusal(services, c);
      if (refused) return refused;
      const files = await dashboardFiles();
      return files ? await respond(c, files) : c.text('The dashboard is not built. Run: npm run build', 503);
    };

  const page = serve((c, { index }) => {
    const base = `<base href="${escapeAttribute(dashboardPath())}/" />`;
    // Pass a function to `replace`: in a replacement string, `$&` in the public URL would have a special meaning.
    return c.body(
      index.replace(BASE_PLACEHOLDER, () => base),
      200,
      PAGE_HEADERS,
    );
  });

  const docs = serve((c, files) => c.body(files.docs, 200, DOCS_HEADERS));

  /** If a browser opens the server's address, redirects it to the dashboard. Other programs get a 404. */
  async function root(c: Context, next: Next): Promise<Response | undefined> {
    const asksForPage = c.req.method === 'GET' && c.req.header('Accept')?.includes('text/html');
    if (asksForPage && !refusal(services, c)) return c.redirect(dashboardPath());
    await next();
    return undefined;
  }

  // Register files before pages: a request for an unknown file must get a 404, not the page.
  app.get('/dashboard/assets/:name{.+}', serve(asset));
  // Register `root` as middleware: with a route, requests with other methods would get a 405 instead of a 404.
  app.use('/', root);
  app.get('/docs', docs);
  app.get('/dashboard', page);
  app.get('/dashboard/*', page);
}

async function asset(c: Context, { assets }: DashboardFiles): Promise<Response> {
  const found = assets.get(c.req.param('name') ?? '');
  if (!found) return c.text('No such file.', 404);
  const headers = { ...ASSET_HEADERS, 'Content-Type': found.type };
  if (!found.unpacked) return send(c, found.bytes, headers);
  const encoding = accepts(c, { header: 'Accept-Encoding', supports: ['br', 'identity'], default: 'identity' });
  const varying = { ...headers, Vary: 'Accept-Encoding' };
  if (encoding === 'br') return send(c, found.bytes, { ...varying, 'Content-Encoding': 'br' });
  return send(c, await found.unpacked(), varying);
}

/** Sends a file in pieces, as the client reads them. Otherwise, each unread response would keep a copy of the file. */
function send(c: Context, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Response {
  const body = ReadableStream.from(pieces(bytes)) as globalThis.ReadableStream;
  return c.body(body, 200, { ...headers, 'Content-Length': String(bytes.byteLength) });
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function refusal({ local, adminToken, roles, isOwnHost }: Services, c: Context): Response | undefined {
  if (!isOwnHost(hostOf(c))) {
    return c.text(
      "The dashboard responds only to the server's own host names. To add a host name, start the server with --public-url.",
      403,
    );
  }
  if (!local && adminToken === undefined) {
    return c.text('In the strict profile, the dashboard requires --admin-token.', 403);
  }
  if (!roles.includes('api')) {
    return c.text(
      'This server does not serve the API. Open the dashboard of a server that runs with --roles api.',
      503,
    );
  }
  return undefined;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
