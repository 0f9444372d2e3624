import type { Context, Hono, Next } from 'hono';
import { accepts } from 'hono/accepts';
import type { NodeRole } from '../domain/node-role.ts';
import { createDashboardFiles } from './files.ts';
import { ASSET_HEADERS, DOCS_HEADERS, PAGE_HEADERS } from './policy.ts';

const PIECE_BYTES = 64 * 1024;

interface PagesOptions {
  local: boolean;
  adminToken?: string | undefined;
  roles: readonly NodeRole[];
  publicUrl(): string;
  isOwnHost(host: string): boolean;
}

/** The server replaces this element of the built page. */
const BASE_PLACEHOLDER = '<base href="/dashboard/" />';

/** The pages contain no data, so they need no credential. */
export function createPages(options: PagesOptions): (app: Hono) => void {
  const files = createDashboardFiles();
  const dashboardPath = () => `${new URL(options.publicUrl()).pathname.replace(/\/+$/, '')}/dashboard`;

  const unlessRefused = (serve: (c: Context) => Promise<Response>) => async (c: Context) =>
    refusal(options, c) ?? (await serve(c));

  async function page(c: Context): Promise<Response> {
    const text = await files.page('index.html');
    if (text === undefined) return notBuilt(c);
    const base = `<base href="${escapeAttribute(dashboardPath())}/" />`;
    // In a replacement string, `$&` in the public URL would have a special meaning.
    const html = text.replace(BASE_PLACEHOLDER, () => base);
    return c.body(html, 200, PAGE_HEADERS);
  }

  /** If a browser opens the server's address, redirects it to the dashboard. Other programs get a 404. */
  async function root(c: Context, next: Next): Promise<Response | undefined> {
    const asksForPage = c.req.method === 'GET' && c.req.header('Accept')?.includes('text/html');
    if (asksForPage && !refusal(options, c)) return c.redirect(dashboardPath());
    await next();
    return undefined;
  }

  async function docs(c: Context): Promise<Response> {
    const text = await files.page('docs.html');
    return text === undefined ? notBuilt(c) : c.body(text, 200, DOCS_HEADERS);
  }

  async function asset(c: Context): Promise<Response> {
    const found = await files.asset(c.req.param('name') ?? '');
    if (!found) return c.text('No such file.', 404);
    const headers = { ...ASSET_HEADERS, 'Content-Type': found.type };
    if (!found.unpacked) return send(c, found.bytes, headers);
    const encoding = accepts(c, { header: 'Accept-Encoding', supports: ['br', 'identity'], default: 'identity' });
    const varying = { ...headers, Vary: 'Accept-Encoding' };
    if (encoding === 'br') return send(c, found.bytes, { ...varying, 'Content-Encoding': 'br' });
    return send(c, await found.unpacked(), varying);
  }

  return (app) => {
    // Register files before pages: a request for an unknown file must get a 404, not the page.
    app.get('/dashboard/assets/:name{.+}', unlessRefused(asset));
    // Register `root` as middleware: a route would change the 404 of other methods to a 405.
    app.use('/', root);
    app.get('/docs', unlessRefused(docs));
    app.get('/dashboard', unlessRefused(page));
    app.get('/dashboard/*', unlessRefused(page));
  };
}

/** Sends a file piece by piece, as the client reads. Otherwise, each unread response would keep a copy of the file. */
function send(c: Context, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Response {
  let sent = 0;
  const pieces = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + PIECE_BYTES));
        sent += PIECE_BYTES;
        if (sent >= bytes.byteLength) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return c.body(pieces, 200, { ...headers, 'Content-Length': String(bytes.byteLength) });
}

const notBuilt = (c: Context) => c.text('The dashboard is not built. Run: npm run build', 503);

function refusal({ local, adminToken, roles, isOwnHost }: PagesOptions, c: Context): Response | undefined {
  if (!isOwnHost(c.req.header('Host') ?? new URL(c.req.url).host)) {
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
