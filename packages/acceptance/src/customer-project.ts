import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLISHED, readManifest } from '../release/manifests.ts';
import { pack } from '../release/tarballs.ts';
import { run } from './run.ts';

/** An empty project outside the repository, with the packed packages installed as a customer would. */
export interface CustomerProject extends Disposable {
  folder: string;
  /** The oldest supported Node of the client and the receiver library. */
  oldestNode: string;
  /** The oldest supported Node of the server. */
  oldestServerNode: string;
  /** Runs a command in the folder and returns its standard output. @throws if the command fails. */
  run(command: string, argv: string[]): Promise<string>;
}

/** Packs and installs the packages, together with the oldest versions of Node that they support. */
export async function createCustomerProject(): Promise<CustomerProject> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tarballs-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const tarballs = (await pack(PUBLISHED, folder)).map(({ path }) => path);
    const nodes = { node: oldestNodeOf('packages/client'), 'node-of-server': oldestNodeOf('mock-server') };
    const versions = Object.entries(nodes).map(([name, version]) => `${name}@npm:node@${version}`);
    writeFileSync(
      join(folder, 'package.json'),
      '{ "name": "customer", "private": true, "allowScripts": { "node": true } }',
    );
    await must('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs, ...versions], folder);
  } catch (error) {
    remove();
    throw error;
  }
  const nodeIn = (name: string) => join(folder, 'node_modules', name, 'bin/node');
  return {
    folder,
    oldestNode: nodeIn('node'),
    oldestServerNode: nodeIn('node-of-server'),
    run: (command, argv) => must(command, argv, folder),
    [Symbol.dispose]: remove,
  };
}

async function must(command: string, argv: string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run(command, argv, { cwd });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** The version in `engines`: `>=22.12` means 22.12.0. */
function oldestNodeOf(folder: string): string {
  return `${readManifest(folder).engines?.node?.replace('>=', '')}.0`;
}
