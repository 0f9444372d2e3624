import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  /** Only present if `bytes` are compressed with Brotli. */
  unpacked?: () => Promise<Uint8Array<ArrayBuffer>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** In a built server, the dashboard is next to this module. */
const FOLDERS = ['./dashboard/', '../../../packages/dashboard/dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const unpack = promisify(brotliDecompress);

/**
 * All responses share the bytes of a file. Otherwise, a client could request a large file many times without reading
 * the responses, and the copies would fill the memory. Only files that the folder lists are served.
 */
export function createDashboardFiles() {
  const kept = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  let names: Promise<ReadonlySet<string>> | undefined;
  const folder = () => FOLDERS.find((path) => existsSync(join(path, 'index.html')));

  function keep(key: string, make: () => Promise<Buffer<ArrayBuffer>>): Promise<Buffer<ArrayBuffer>> {
    const known = kept.get(key);
    if (known) return known;
    const making = make();
    kept.set(key, making);
    // The failure may be temporary, for example if the process has run out of file descriptors, so allow another try.
    making.catch(() => kept.delete(key));
    return making;
  }
  const read = (path: string) => keep(path, () => readFile(path) as Promise<Buffer<ArrayBuffer>>);
  const readUnpacked = (path: string) => keep(`${path} unpacked`, async () => await unpack(await read(path)));

  return {
    /** `undefined` if the dashboard is not built. */
    async page(name: 'index.html' | 'docs.html'): Promise<string | undefined> {
      const found = folder();
      return found && (await read(join(found, name))).toString();
    },
    async asset(name: string): Promise<Asset | undefined> {
      const found = folder();
      if (!found) return undefined;
      names ??= readdir(join(found, 'assets')).then((all) => new Set(all));
      const known = await names;
      const type = TYPES[extname(name)];
      const stored = [name, `${name}.br`].find((one) => known.has(one));
      if (type === undefined || stored === undefined) return undefined;
      const path = join(found, 'assets', stored);
      const asset = { bytes: await read(path), type };
      return stored === name ? asset : { ...asset, unpacked: () => readUnpacked(path) };
    },
  };
}
