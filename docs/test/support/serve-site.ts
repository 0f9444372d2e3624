import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { site } from '../../build/check-links.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain',
};

/** The built site on a host that knows files only. */
export interface SiteServer extends AsyncDisposable {
  url: string;
}

export async function serveSite(): Promise<SiteServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(String(request.url), 'http://site.test');
    const path = join(site, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!existsSync(path)) return void response.writeHead(404).end();
    // The name of an asset contains a hash of its content, so the browser also keeps the compiled code.
    if (pathname.startsWith('/assets/')) response.setHeader('cache-control', 'max-age=31536000, immutable');
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(readFileSync(path));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
