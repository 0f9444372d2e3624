import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { run } from '@svc/testing';

/** A package registry on loopback, from which `npm install @svc/client` installs the package as the guides describe. */
export interface Registry extends AsyncDisposable {
  url: string;
}

/** Serves packed tarballs to a project whose `.npmrc` names this registry for the scope `@svc`. */
export async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const files = new Map(tarballs.map((file) => [`/${basename(file)}`, readFileSync(file)]));
  const manifests = new Map(
    await Promise.all(tarballs.map(async (file) => [basename(file), await manifestOf(file)] as const)),
  );
  const server = createServer((request, response) => {
    const path = decodeURIComponent(String(request.url));
    const file = files.get(path);
    if (file) return void response.end(file);
    const found = [...manifests].find(([, { name }]) => path === `/${name}`);
    if (!found) return void response.writeHead(404).end('{}');
    const [name, manifest] = found;
    const bytes = files.get(`/${name}`) ?? Buffer.alloc(0);
    const dist = {
      tarball: `${url}${name}`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        name: manifest.name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function manifestOf(tarball: string): Promise<{ name: string; version: string }> {
  const { stdout } = await run('tar', ['xzOf', tarball, 'package/package.json']);
  return JSON.parse(stdout) as { name: string; version: string };
}
