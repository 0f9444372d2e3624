import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const runtimes = new URL('../../runtimes/', import.meta.url);

/** Loads what `npm run runtimes` installed. */
export const requireInstalled: NodeJS.Require = createRequire(new URL('package.json', runtimes));

/** Where a package that `npm run runtimes` installs keeps a file; undefined where it is not installed. */
export function installedFile(name: string, file: string): string | undefined {
  const found = fileURLToPath(new URL(`node_modules/${name}/${file}`, runtimes));
  return existsSync(found) ? found : undefined;
}
