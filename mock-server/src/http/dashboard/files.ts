import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { getMimeType } from 'hono/utils/mime';

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  /** Returns the bytes without compression. Present only if `bytes` are compressed with Brotli. */
  unpacked?: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** In a built server, the dashboard is next to this module. */
const FOLDER = ['./dashboard/', '../../../../packages/dashboard/dist/']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(join(path, 'index.html')));

const unpack = promisify(brotliDecompress);

/**
 * Returns a function that calls `make` once and keeps the result. A failure may be temporary, for example if the process
 * has run out of file descriptors, so the next call tries again.
 */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * Returns `undefined` if the dashboard is not built. All responses share the bytes of a file. Otherwise, a client could
 * request a large file many times without reading the responses, and the copies would fill the memory.
 */
export const dashboardFiles = once(async () => (FOLDER === undefined ? undefined : await readFiles(FOLDER)));

export type DashboardFiles = Awaited<ReturnType<typeof readFiles>>;

async function readFiles(folder: string) {
  const assets = new Map<string, Asset>();
  for (const stored of await readdir(join(folder, 'assets'))) {
    const name = stored.replace(/\.br$/, '');
    const type = getMimeType(name);
    if (type === undefined) continue;
    const bytes = await readFile(join(folder, 'assets', stored));
    const unpacked = once(() => unpack(bytes));
    assets.set(name, stored === name ? { bytes, type } : { bytes, type, unpacked });
  }
  const index = await readFile(join(folder, 'index.html'), 'utf8');
  return { index, docs: await readFile(join(folder, 'docs.html'), 'utf8'), assets };
}
