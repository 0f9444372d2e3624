import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const home = join(import.meta.dirname, '../..');

/** A project outside the repository, into which npm installed the packed package beside others. */
export interface NpmProject extends Disposable {
  /** Writes files, by their names. */
  write(files: { [name: string]: string }): void;
  /** Runs a program with Node. Returns its output. Throws with all of it if the program fails. */
  run(args: readonly string[], environment?: { [name: string]: string | undefined }): string;
}

/** Packs this package and installs it with npm beside the packages, as a customer would. Throws if npm refuses. */
export function createNpmProject(...packages: string[]): NpmProject {
  const directory = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  const run = (command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}, cwd = directory) =>
    execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
  const project: NpmProject = {
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true });
        writeFileSync(join(directory, name), text);
      }
    },
    run(args, environment) {
      try {
        return run(process.execPath, args, environment);
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
      }
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
  project.write({ 'package.json': '{ "private": true }' });
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory], {}, home);
  const [tarball = ''] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
  // The defaults of a customer: peers are checked. The tests' environment must not relax that.
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`, ...packages], {
    npm_config_legacy_peer_deps: undefined,
    npm_config_strict_peer_deps: 'true',
  });
  return project;
}
