import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type manifest from './package.json';

/** The name of a package that `npm run runtimes` installs. */
export type Installable = keyof (typeof manifest)['dependencies'];

/** Loads an installed package. */
export const requireInstalled: NodeJS.Require = createRequire(import.meta.url);

/** The path of an installed package, or of a file in it. Undefined if the package is missing (`npm run runtimes`). */
export function findInstalled(name: Installable, file = ''): string | undefined {
  const path = join(import.meta.dirname, 'node_modules', name, file);
  return existsSync(path) ? path : undefined;
}
