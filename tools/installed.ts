import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folder = import.meta.dirname;
const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
/** The manifest that was installed last. */
const stamp = join(folder, 'node_modules/.installed.json');

/** Whether what `package.json` names is installed. */
export const isInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest;

/** Installs what `package.json` names, unless it is there. @throws if npm fails. */
export function install(): void {
  if (isInstalled()) return;
  console.error('Installing the tools of this repository (once) …');
  const argv = ['install', '--prefix', folder, '--no-package-lock', '--no-save', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', argv, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`Cannot install the tools: npm ended with ${status}.`);
  writeFileSync(stamp, manifest);
}

/** An environment whose `PATH` begins with the tools' commands. */
export const withTools = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
});
