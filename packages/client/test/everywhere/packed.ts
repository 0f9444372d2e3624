import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

/** A project outside of the repository that has the packed package installed, as users get it. */
export interface Project extends Disposable {
  directory: string;
  write(name: string, text: string): string;
}

/** Packs the package and installs it, ky and zod beside it. */
export function createProject(): Project {
  const directory = mkdtempSync(join(tmpdir(), 'svc-client-'));
  const installed = join(directory, 'node_modules');
  const target = join(installed, '@svc/client');
  mkdirSync(target, { recursive: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory], {
    cwd: join(root, 'packages/client'),
  });
  const [tarball = ''] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['xzf', tarball, '-C', target, '--strip', '1'], { cwd: directory });
  for (const name of ['ky', 'zod'])
    cpSync(join(root, 'node_modules', name), join(installed, name), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  return {
    directory,
    write(name, text) {
      const path = join(directory, name);
      writeFileSync(path, text);
      return path;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
