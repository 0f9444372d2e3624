import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type manifest from './package.json';

/** What `npm run runtimes` installs, by the name that it has there. */
export type Installable = keyof (typeof manifest)['dependencies'];

/** Loads what is installed. */
export const requireInstalled: NodeJS.Require = createRequire(import.meta.url);

/** Where something is installed, or where it keeps a file; undefined where it is not (`npm run runtimes`). */
export function findInstalled(name: Installable, file = ''): string | undefined {
  const path = join(import.meta.dirname, 'node_modules', name, file);
  return existsSync(path) ? path : undefined;
}
