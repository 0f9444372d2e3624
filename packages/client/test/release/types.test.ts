import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';
import { createProject, type Project } from './packed.ts';

const TYPED = ['surface.types.ts', 'added.types.ts', 'testing.types.ts'];

let project: Project;

beforeAll(() => {
  project = createProject();
  for (const name of [...TYPED, 'assert.ts']) {
    const text = readFileSync(join(import.meta.dirname, '../types', name), 'utf8');
    project.write(
      name,
      text
        .replaceAll("'../../src/index.ts'", "'@svc/client'")
        .replaceAll("'../../src/testing.ts'", "'@svc/client/testing'"),
    );
  }
  project.write('empty.ts', 'export {};');
  project.write('expand.ts', expandTable);
});
afterAll(() => project[Symbol.dispose]());

/** Each case of the table once. */
const expandTable = `
import { createClient } from '@svc/client';
declare const flag: boolean;
declare const dynamic: 'workspaces'[];
const { organizations } = createClient({ accessToken: 'svc_pat_1', baseUrl: 'https://a.example' });
export const none = await organizations.list();
export const named = await organizations.list({ expand: ['workspaces'] });
export const some = await organizations.list({ expand: dynamic });
export const either = await organizations.list({ expand: flag ? ['workspaces'] : [] });
export const all = [none.data[0]?.id, named.data[0]?.workspaces.length, some.data[0]?.workspaces?.length, either.data.length];
`;

/** Compiles all projects in one process, which is faster. Returns what the compiler says of each. */
function compile(compiler: string, ...projects: { files: string[]; options: object }[]): string[] {
  const configs = projects.map(({ files, options }, index) =>
    project.write(
      `tsconfig.${index}.json`,
      JSON.stringify({
        files,
        compilerOptions: {
          target: 'es2022',
          strict: true,
          noEmit: true,
          allowImportingTsExtensions: true,
          skipLibCheck: false,
          skipDefaultLibCheck: true,
          types: [],
          lib: ['es2022'],
          ...options,
        },
      }),
    ),
  );
  const argv = ['--build', '--force', '--verbose', '--extendedDiagnostics', '--pretty', 'false', ...configs];
  const { stdout } = spawnSync(process.execPath, [join(compiler, 'bin/tsc'), ...argv], { encoding: 'utf8' });
  return stdout.split(/^.*Building project .*$/m).slice(1);
}

const errorsIn = (output: string) => output.split('\n').filter((line) => line.includes('error TS'));
const figure = (output: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(output)?.[1]);

describe.each(['typescript-5.9', 'typescript-6', 'typescript-7'] as const)('the declarations on %s', (tool) => {
  const compiler = findInstalled(tool);
  if (!compiler) console.info(`${tool} is not installed: npm run runtimes`);
  const modes = [
    { module: 'nodenext' },
    { module: 'node16' },
    { module: 'esnext', moduleResolution: 'bundler' },
    { module: 'nodenext', exactOptionalPropertyTypes: true },
    { module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'] },
    { module: 'nodenext', lib: ['esnext', 'dom'] },
  ];

  let outputs: string[];
  beforeAll(() => {
    if (!compiler) return;
    const typed = modes.map((options) => ({ files: TYPED, options }));
    const counted = ['empty.ts', 'expand.ts'].map((file) => ({ files: [file], options: { module: 'nodenext' } }));
    outputs = compile(compiler, ...typed, ...counted);
    expect(outputs).toHaveLength(modes.length + 2);
  });

  it.skipIf(!compiler).each(modes.map((options, index) => [options, index] as const))(
    'compile as expected under %j, which may name no platform library',
    (_options, index) => {
      expect(errorsIn(outputs[index] ?? '')).toEqual([]);
    },
  );

  it.skipIf(!compiler)('cost under 5,000 instantiations and 5,000 lines for the whole table of expand', () => {
    const [baseline = '', output = ''] = outputs.slice(modes.length);
    expect(errorsIn(output)).toEqual([]);
    const added = (name: string) => figure(output, name) - figure(baseline, name);
    console.info(
      `${tool}: ${added('Instantiations')} instantiations, ${added('Lines of Definitions') || added('Lines')} lines`,
    );
    expect(added('Instantiations')).toBeLessThan(5000);
    expect(added('Lines of Definitions') || added('Lines')).toBeLessThan(5000);
  });
});
