import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/** Folders whose packages are installed on demand. Each folder has a `package.json`. */
const FOLDERS = ['tools', 'packages/client/test', 'packages/webhooks/test', 'packages/webhooks/bench'].map((name) =>
  join(import.meta.dirname, '..', name),
);

const manifestIn = (folder: string) => readFileSync(join(folder, 'package.json'), 'utf8');
/** The path of a copy of the manifest that was last installed in a folder. */
const stampIn = (folder: string) => join(folder, 'node_modules/.installed.json');
const isCurrent = (folder: string) =>
  existsSync(stampIn(folder)) && readFileSync(stampIn(folder), 'utf8') === manifestIn(folder);

/** Whether everything is installed in the versions that the manifests list. */
export const isInstalled = (): boolean => FOLDERS.every(isCurrent);

/** Installs missing packages, in all folders at once. @throws {@link InstallError} if npm fails. */
export async function install(): Promise<void> {
  // Wait for all installations, so that the error comes after everything that npm prints.
  const installed = await Promise.allSettled(FOLDERS.filter((one) => !isCurrent(one)).map(installIn));
  for (const one of installed) if (one.status === 'rejected') throw one.reason;
}

/** Makes npm print its errors. Without this option, `npm run --silent` would hide why an installation fails. */
export const SAYS_WHY = '--loglevel=error';
/** What to do after a failed installation. The message ends with the command to run. */
export const REMEDY = 'Check the connection to the npm registry. Then run:';

/** Thrown if npm cannot install a tool. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

async function installIn(folder: string): Promise<void> {
  console.error(`Installing ${manifestIn(folder).match(/"name": "(.*)"/)?.[1]} (once) …`);
  const argv = ['install', '--prefix', folder, '--no-package-lock', '--no-save', '--no-audit', '--no-fund', SAYS_WHY];
  const npm = spawn('npm', argv, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  const [status] = await once(npm, 'close');
  if (status !== 0)
    throw new InstallError(`Cannot install what ${folder} needs; npm says why above. ${REMEDY} npm run tools`);
  writeFileSync(stampIn(folder), manifestIn(folder));
}

/** Loads a tool, by its name in `package.json`. */
export const requireTool: NodeJS.Require = createRequire(join(import.meta.dirname, 'package.json'));

/** The path of the compiler of TypeScript 7, which is much faster than the compiler of TypeScript 6. */
export const nativeCompiler: string = join(import.meta.dirname, 'node_modules/typescript-7/bin/tsc');

/**
 * Returns an environment whose `PATH` begins with the workspace's commands, followed by the tools' commands. So `tsc`
 * is the workspace's `tsc`.
 */
export const withTools = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [
    join(import.meta.dirname, '../node_modules/.bin'),
    join(import.meta.dirname, 'node_modules/.bin'),
    process.env['PATH'],
  ].join(delimiter),
});
