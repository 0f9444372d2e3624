import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../../scripts/check-release/manifests.ts';

const root = join(import.meta.dirname, '../../..');
const floor = String(readManifest('mock-server').engines?.node?.replace('>=', ''));

/** The versions that a text names as the oldest Node, other than the real one. */
const wrongIn = (text: string) =>
  [...text.matchAll(/\bNode (22(?:\.\d+)?) or later/g)].map(([, version]) => version).filter((one) => one !== floor);

test.each(['', 'packages/client', 'packages/webhooks', 'packages/conformance'])(
  'the package in "%s" needs the same Node as the server',
  (folder) => {
    expect(readManifest(folder).engines?.node).toBe(`>=${floor}`);
  },
);

test('every page that names the oldest Node names the same one', () => {
  const pages = globSync(
    ['*.md', '.changeset/*.md', 'docs/*.md', 'docs/guides/*.md', '{packages/*,mock-server}/README.md'],
    {
      cwd: root,
    },
  );
  const texts = pages.map((page) => readFileSync(join(root, page), 'utf8'));
  expect(texts.flatMap(wrongIn)).toEqual([]);
  expect(texts.filter((text) => text.includes(`Node ${floor} or later`)).length).toBeGreaterThan(5);
  expect(wrongIn('You need Node 22.12 or later.')).toEqual(['22.12']);
});
