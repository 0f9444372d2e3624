import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subject } from './subjects.ts';

const cache = join(import.meta.dirname, '../../../node_modules/.cache/svc-client-bench');

/** Installs a package alone into a separate folder, and keeps the folder for the next run. @returns the folder. */
export function installAlone({ name, install }: Subject): string {
  const folder = join(cache, name.replace('/', '+'));
  const isTarball = existsSync(install);
  if (isTarball) rmSync(folder, { recursive: true, force: true });
  const stamp = join(folder, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === install) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=peer', '--silent', install], {
    cwd: folder,
  });
  writeFileSync(stamp, install);
  return folder;
}

/** Returns the size in bytes and the number of packages in a folder's `node_modules`. */
export async function weigh(folder: string): Promise<{ bytes: number; packages: number }> {
  const entries = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.package-lock.json');
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: object;
  };
  return { bytes, packages: Object.keys(lock.packages).length };
}
