import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built files of the dashboard. */
export interface DashboardFiles {
  /** The page, with a placeholder for its base; `undefined` if it is not built. */
  page(): Promise<string | undefined>;
  /** `undefined` if there is no such file. */
  asset(name: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** In the build they are beside this module; the sources find them there, too. */
const FOLDERS = ['./dashboard/', '../../dist/dashboard/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** Reads each file when it is first asked for, and keeps it. A name is looked up among those that exist, so no path leads out. */
export function createDashboardFiles(): DashboardFiles {
  const kept = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  let names: Promise<ReadonlySet<string>> | undefined;
  const folder = () => FOLDERS.find((path) => existsSync(join(path, 'index.html')));

  function read(path: string): Promise<Buffer<ArrayBuffer>> {
    const known = kept.get(path);
    if (known) return known;
    const reading = readFile(path) as Promise<Buffer<ArrayBuffer>>;
    kept.set(path, reading);
    return reading;
  }

  return {
    async page() {
      const found = folder();
      return found && (await read(join(found, 'index.html'))).toString();
    },
    async asset(name) {
      const found = folder();
      if (!found) return undefined;
      names ??= readdir(join(found, 'assets')).then((all) => new Set(all));
      const type = TYPES[extname(name)];
      if (type === undefined || !(await names).has(name)) return undefined;
      return { bytes: await read(join(found, 'assets', name)), type };
    },
  };
}
