import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, startProcess } from '@svc/testing';
import type { Manifest } from './manifests.ts';
import { must, npm } from './npm.ts';

/** Entries that work only if the customer also installs another package. */
const NEEDS_A_PEER = /\/(?:vitest|msw|schemas|fastify)$/;

/** Returns the import paths, such as `@svc/client/testing`, without the entries that need another package. */
export const entriesOf = ({ name, exports }: Manifest): string[] =>
  Object.keys(exports ?? {})
    .filter((entry) => !/\.json$/.test(entry))
    .map((entry) => name + entry.slice(1))
    .filter((entry) => !NEEDS_A_PEER.test(entry));

export async function install(tarballs: readonly string[], folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "name": "customer", "private": true }');
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], folder);
}

export async function load(manifests: readonly Manifest[], folder: string): Promise<void> {
  const entries = manifests.flatMap(entriesOf);
  const imports = entries.map((entry) => `await import(${JSON.stringify(entry)});`);
  const requires = entries.map((entry) => `require(${JSON.stringify(entry)});`);
  writeFileSync(join(folder, 'all.mjs'), imports.join('\n'));
  writeFileSync(join(folder, 'all.cjs'), requires.join('\n'));
  await must(['all.mjs'], folder);
  await must(['all.cjs'], folder);
}

/** Runs a customer's program that receives and verifies a delivery from the installed server. */
export async function receiveADelivery(folder: string): Promise<string> {
  copyFileSync(join(root, 'packages/acceptance/customer/receive-a-delivery.mjs'), join(folder, 'receive.mjs'));
  const bin = join(folder, 'node_modules/@svc/mock-server/bin/svc-mock.js');
  await using server = await startProcess(['--memory'], [process.execPath, bin]);
  const key = server.ready.credentials.find(({ kind }) => kind === 'api_key');
  return (await must(['receive.mjs', server.ready.url, String(key?.credential)], folder)).trim();
}
