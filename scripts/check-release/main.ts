import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PUBLISHED, problemsOf, readManifest, toFillIn } from './manifests.ts';
import { nextVersions } from './next-versions.ts';
import { pack, problemsIn } from './tarballs.ts';
import { install, load, receiveADelivery } from './try-out.ts';

const HELP = `Usage: npm run release:check [-- --publish]

Packs the published packages, installs them in an empty project and tries them.
Then prints what a release would publish. The command itself publishes nothing.

Options:
  --publish   fail if the owner has not filled in every address in package.json
  -h, --help  print this help
`;

const { values } = parseArgs({ options: { publish: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
const problems: string[] = [];
const step = (text: string, found: readonly string[] = []) => {
  console.log(`${found.length ? '✗' : '✓'} ${text}`);
  for (const problem of found) console.log(`    ${problem}`);
  problems.push(...found);
};

const packages = new Map(PUBLISHED.map((folder) => [folder, readManifest(folder)]));
const manifests = [...packages.values()];
const folder = mkdtempSync(join(tmpdir(), 'svc-release-'));
try {
  step('Every package.json is complete', manifests.flatMap(problemsOf));
  const tarballs = await pack(PUBLISHED, folder);
  step(
    'The tarballs contain all required files, and no other files',
    tarballs.flatMap((tarball) =>
      manifests.filter(({ name }) => name === tarball.name).flatMap((manifest) => problemsIn(tarball, manifest)),
    ),
  );
  await install(
    tarballs.map(({ path }) => path),
    folder,
  );
  step('The packages install in an empty project');
  await load(manifests, folder);
  step('Every entry loads, by import and by require');
  step(`The installed server delivers, and the installed receiver verifies: ${await receiveADelivery(folder)}`);

  const next = await nextVersions(folder);
  console.log('\nWhat would be published:');
  for (const { name, version, size, unpackedSize, files } of tarballs) {
    const sizes = `${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${files.length} files`;
    console.log(
      `  ${name.padEnd(18)} ${(next.get(name) === version ? `${version} (no change)` : (next.get(name) ?? version)).padEnd(14)} ${sizes}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const open = toFillIn(readManifest('.'), packages);
if (open.length) {
  console.log('\nThe owner must fill in, before the first release:');
  for (const line of open) console.log(`  - ${line}`);
}
process.exitCode = problems.length || (values.publish && open.length) ? 1 : 0;
