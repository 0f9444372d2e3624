import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A project outside the repository, with one packed package. */
export interface PackedProject extends Disposable {
  directory: string;
  write(name: string, text: string): string;
}

/** Creates a project with one packed package. `beside` names the modules to copy into the project. */
export function createPackedProject(folder: string, name: string, beside: readonly string[]): PackedProject {
  const directory = mkdtempSync(join(tmpdir(), 'svc-packed-'));
  const installed = join(directory, 'node_modules');
  const target = join(installed, name);
  mkdirSync(target, { recursive: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory], {
    cwd: join(root, folder),
  });
  const [tarball = ''] = readdirSync(directory).filter((file) => file.endsWith('.tgz'));
  execFileSync('tar', ['xzf', tarball, '-C', target, '--strip', '1'], { cwd: directory });
  for (const module of beside) cpSync(join(root, 'node_modules', module), join(installed, module), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  return {
    directory,
    write(file, text) {
      const path = join(directory, file);
      writeFileSync(path, text);
      return path;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
