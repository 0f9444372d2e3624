import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Fails the build if the built scripts contain code from a package that `public/licenses.txt` does not name. */
export function licensed(): Plugin {
  const text = readFileSync(join(import.meta.dirname, '../public/licenses.txt'), 'utf8');
  const named = new Set(text.split(/\s+/));
  return {
    name: 'licensed',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      const packages = modules.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
      for (const name of new Set(packages)) {
        if (name !== undefined && !named.has(name))
          this.error(`Name ${name} and its copyright in public/licenses.txt.`);
      }
    },
  };
}
