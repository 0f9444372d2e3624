import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/testing';
import { startCluster } from '@svc/testing/postgres';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { PUBLISHED, readManifest } from '../../../scripts/check-release/manifests.ts';
import { pack } from '../../../scripts/check-release/tarballs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarballs, and the folder in which they are installed. All release tests share this folder. */
    customer: { folder: string; tarballs: string[] };
  }
}

/**
 * A project outside the repository. The packed packages are installed in this project as a customer would install them.
 */
export interface CustomerProject {
  folder: string;
  tarballs: readonly string[];
  /** The oldest Node version that the packages support. */
  oldestNode: string;
  tooOldNode: string;
  run(command: string, argv: string[]): Promise<string>;
}

/**
 * Packs the packages once, and installs them in one project. Also installs two versions of Node in this project: the
 * oldest version that the packages support, and a version that is too old for the packages. Starts a PostgreSQL server,
 * unless `SVC_TEST_POSTGRES_URL` names one.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'svc-tarballs-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const tarballs = (await pack(PUBLISHED, folder)).map(({ path }) => path);
  const nodes = { node: oldestNodeOf('mock-server'), 'node-too-old': '22.12.0' };
  const versions = Object.entries(nodes).map(([name, version]) => `${name}@npm:node@${version}`);
  const manifest = '{ "name": "customer", "private": true, "allowScripts": { "node": true } }';
  writeFileSync(join(folder, 'package.json'), manifest);
  await must('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs, ...versions], folder);
  project.provide('customer', { folder, tarballs });
  if (!process.env['SVC_TEST_POSTGRES_URL']) {
    const { url } = cleanup.use(await startCluster());
    process.env['SVC_TEST_POSTGRES_URL'] = url;
    cleanup.defer(() => void delete process.env['SVC_TEST_POSTGRES_URL']);
  }
  const owned = cleanup.move();
  return () => owned.disposeAsync();
}

export function customerProject(): CustomerProject {
  const { folder, tarballs } = inject('customer');
  const nodeIn = (name: string) => join(folder, 'node_modules', name, 'bin/node');
  return {
    folder,
    tarballs,
    oldestNode: nodeIn('node'),
    tooOldNode: nodeIn('node-too-old'),
    run: (command, argv) => must(command, argv, folder),
  };
}

async function must(command: string, argv: string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run(command, argv, { cwd });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Returns the oldest Node version that a package's `engines` allows. For example, `>=22.19` means 22.19.0. */
function oldestNodeOf(folder: string): string {
  return `${readManifest(folder).engines?.node?.replace('>=', '')}.0`;
}
