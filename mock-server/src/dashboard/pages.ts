import type { Context, Hono } from 'hono';
import type { NodeRole } from '../domain/node-role.ts';
import { createDashboardFiles } from './files.ts';
import { ASSET_HEADERS, PAGE_HEADERS } from './policy.ts';

/** What the pages need to know of the server. */
export interface PagesOptions {
  local: boolean;
  adminToken: string | undefined;
  roles: readonly NodeRole[];
  publicUrl(): string;
  isOwnHost(host: string): boolean;
}

/** What the built page has in the place of its base. */
const BASE_PLACEHOLDER = '<base href="/dashboard/" />';

/** Serves the dashboard: one page for each of its routes, and its files. The page holds no data. */
export function createPages(options: PagesOptions): { register(app: Hono): void } {
  const files = createDashboardFiles();

  async function page(c: Context): Promise<Response> {
    const refused = refusal(options, c);
    if (refused) return refused;
    const text = await files.page();
    if (text === undefined) return c.text('The dashboard is not built. Run: npm run build', 503);
    const base = `${new URL(options.publicUrl()).pathname.replace(/\/+$/, '')}/dashboard/`;
    return c.body(text.replace(BASE_PLACEHOLDER, `<base href="${escapeAttribute(base)}" />`), 200, PAGE_HEADERS);
  }

  async function asset(c: Context): Promise<Response> {
    const refused = refusal(options, c);
    if (refused) return refused;
    const found = await files.asset(c.req.param('name') ?? '');
    if (!found) return c.text('No such file.', 404);
    return c.body(found.bytes, 200, { ...ASSET_HEADERS, 'Content-Type': found.type });
  }

  return {
    register(app) {
      app.get('/dashboard/assets/:name', asset);
      app.get('/dashboard', page);
      app.get('/dashboard/*', page);
    },
  };
}

/** Why this node does not serve the dashboard to this request, in one sentence. */
function refusal({ local, adminToken, roles, isOwnHost }: PagesOptions, c: Context): Response | undefined {
  if (!isOwnHost(c.req.header('Host') ?? new URL(c.req.url).host)) {
    return c.text("The dashboard answers only under the server's own host names; --public-url adds one.", 403);
  }
  if (!local && adminToken === undefined) {
    return c.text('In the strict profile, the dashboard requires --admin-token.', 403);
  }
  if (!roles.includes('api')) {
    return c.text('This node serves no API. Open the dashboard of a node that runs with --roles api.', 503);
  }
  return undefined;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
