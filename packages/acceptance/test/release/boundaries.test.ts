import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled } from '../../../../tools/installed.ts';
import { root, run } from '../../src/run.ts';

const forbidden = [
  ['packages/contract/src', '@svc/client'],
  ['packages/contract/src', 'node:fs'],
  ['packages/contract/src', '../../client/src/index.ts'],
  ['packages/client/src', '@svc/webhooks'],
  ['packages/client/src', '@svc/mock-server'],
  ['packages/client/src', '@svc/contract/openapi'],
  ['packages/client/src', 'node:http'],
  ['packages/client/src', 'ky'],
  ['packages/client/src', '../../webhooks/src/index.ts'],
  ['packages/webhooks/src', '@svc/contract'],
  ['packages/webhooks/src', '@svc/client'],
  ['packages/webhooks/src', '../../contract/src/index.ts'],
  ['mock-server/src', '@svc/client'],
  ['mock-server/src', '@svc/webhooks'],
  ['mock-server/src/domain', '../storage/port.ts'],
  ['mock-server/src/domain', 'node:fs'],
  ['mock-server/src/domain', 'node:child_process'],
  ['mock-server/src/domain', 'pg'],
  ['mock-server/src/domain', '../time/timeline.ts'],
  ['mock-server/src/domain', '../main.ts'],
  ['mock-server/src/domain', '../runtime/ids.ts'],
  ['mock-server/src/storage', '../http/errors.ts'],
  ['mock-server/src/storage', '../context.ts'],
  ['mock-server/src/http', '../delivery/engine.ts'],
  ['mock-server/src/http', 'kysely'],
  ['mock-server/src/http', '../storage/sqlite/open.ts'],
  ['mock-server/src/http', '../context.ts'],
  ['mock-server/src/http/routes', '../../delivery/engine.ts'],
  ['mock-server/src/dashboard', '@svc/client'],
  ['mock-server/src/dashboard', '../http/errors.ts'],
  ['packages/dashboard/src', '@svc/contract/openapi'],
  ['packages/dashboard/src', '@svc/contract/schemas'],
  ['packages/contract/src/schemas', '../openapi/descriptions.ts'],
  ['packages/contract/src/control', '../openapi/control.ts'],
  ['packages/client/src', '@svc/contract/control'],
  ['packages/dashboard/src', '@svc/contract/control'],
  ['packages/dashboard/src', '@svc/contract/control/schemas'],
  ['packages/dashboard/src', '@svc/mock-server'],
  ['packages/dashboard/src', '@svc/mock-server/control'],
  ['packages/dashboard/src', 'zod'],
  ['packages/dashboard/src', 'node:fs'],
  ['packages/dashboard/src', '../../client/src/index.ts'],
  ['mock-server/src/delivery', '../http/errors.ts'],
  ['mock-server/src/delivery', '../../../packages/client/src/index.ts'],
  ['mock-server/src/delivery', '../storage/postgres/open.ts'],
] as const;

const allowed = [
  ['packages/contract/src/openapi', '../schemas/index.ts'],
  ['packages/client/src', '@svc/contract'],
  ['packages/dashboard/src', '@svc/client'],
  ['packages/dashboard/src', '@svc/webhooks'],
  ['packages/dashboard/src', '@svc/contract/control/types'],
  ['mock-server/src/domain', '../runtime/clock.ts'],
  ['mock-server/src/http', '@svc/contract'],
  ['mock-server/src/http', '../storage/port.ts'],
  ['mock-server/src/delivery', '../domain/signature.ts'],
  ['mock-server/src/storage', '../domain/event.ts'],
] as const;

/** A tree with the repository's rules and, at the paths of its sources, one probe file for each import. */
let tree: string | undefined;
let refused: Set<string>;

const probe = (folder: string, importFrom: string) => `${folder}/${importFrom.replaceAll(/[^a-z]+/g, '-')}-probe.ts`;

if (!isInstalled()) console.info('Skipped, Biome is not installed (npm run tools): the import boundaries');

beforeAll(async () => {
  if (!isInstalled()) return;
  const folder = mkdtempSync(join(tmpdir(), 'svc-boundaries-'));
  tree = folder;
  const rules = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...rules, vcs: { enabled: false } }));
  for (const [source, importFrom] of [...forbidden, ...allowed]) {
    const file = join(folder, probe(source, importFrom));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `import * as target from '${importFrom}';\n\nexport const probe = target;\n`);
  }
  const biome = join(root, 'tools/node_modules/.bin/biome');
  const { stdout } = await run(biome, ['lint', '--reporter=json', '--max-diagnostics=none', '.'], { cwd: folder });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  refused = new Set(
    diagnostics
      .filter(({ category }) => category === 'lint/style/noRestrictedImports')
      .map(({ location }) => location.path.replaceAll('\\', '/').replace(/^\.\//, '')),
  );
});
afterAll(() => {
  if (tree) rmSync(tree, { recursive: true, force: true });
});

describe.skipIf(!isInstalled())('The linter enforces the import boundaries', () => {
  test.each(forbidden)('%s may not import %s', (folder, importFrom) => {
    expect([...refused]).toContain(probe(folder, importFrom));
  });

  test.each(allowed)('%s may import %s', (folder, importFrom) => {
    expect([...refused]).not.toContain(probe(folder, importFrom));
  });
});
