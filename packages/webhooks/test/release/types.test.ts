import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackedProject, type PackedProject } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';

/** Each case is a separate program, because declared events apply to a whole program. */
const TYPED = ['surface.types.ts', 'added.types.ts'];

let project: PackedProject;

beforeAll(() => {
  project = createPackedProject('packages/webhooks', '@svc/webhooks', []);
  for (const name of TYPED) project.write(name, readFileSync(join(import.meta.dirname, '../types', name), 'utf8'));
});
afterAll(() => project[Symbol.dispose]());

function errorsIn(compiler: string, file: string, options: object): string[] {
  const config = project.write(
    'tsconfig.json',
    JSON.stringify({
      files: [file],
      compilerOptions: { target: 'es2022', strict: true, noEmit: true, types: [], lib: ['es2022'], ...options },
    }),
  );
  const { stdout } = spawnSync(process.execPath, [join(compiler, 'bin/tsc'), '-p', config, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

describe.each(['typescript-5.9', 'typescript-6', 'typescript-7'] as const)('the declarations on %s', (tool) => {
  const compiler = findInstalled(tool);
  if (!compiler) console.info(`${tool} is not installed: npm run runtimes`);
  const modes = [
    { module: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
    { module: 'nodenext', exactOptionalPropertyTypes: true, lib: ['esnext', 'dom'] },
  ];

  it.skipIf(!compiler).each(modes)('compile as expected under %j', (options) => {
    for (const file of TYPED) expect(errorsIn(compiler ?? '', file, options)).toEqual([]);
  });
});
