import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlDocument, createOpenApiDocument } from '@svc/contract/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../tools/installed.ts';

// Customers generate types from the documents. quicktype writes them in Python, and Modelina in C++. They are compiled and
// used. `generated-clients.test.ts` does the same with whole clients.

interface Document {
  components: { schemas: Record<string, { examples: unknown[] }> };
}

const SERVER = 'https://api.service.test';
const documents: Readonly<Record<string, Document>> = {
  api: createOpenApiDocument(SERVER) as unknown as Document,
  control: createControlDocument(SERVER) as unknown as Document,
};
const folder = mkdtempSync(join(tmpdir(), 'generated-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, argv: string[], input?: string) =>
  spawnSync(command, argv, { encoding: 'utf8', ...(input !== undefined && { input }) });
const isThere = (command: string) => run(command, ['-version']).error === undefined;
const hasPython = run('python3', ['-c', 'import dateutil']).status === 0;
const hasCpp = isThere('g++');

/** A JSON Schema of an object with one field for each schema of a document. */
function schemaOf(document: Document | undefined): object {
  const text = JSON.stringify(document?.components.schemas);
  const definitions = JSON.parse(text.replaceAll('#/components/schemas/', '#/definitions/'));
  const names = Object.keys(definitions);
  // Modelina names a type by the id of its schema.
  for (const one of names) definitions[one].$id = one;
  const properties = Object.fromEntries(names.map((one) => [one, { $ref: `#/definitions/${one}` }]));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'Everything',
    type: 'object',
    definitions,
    properties,
  };
}

/** Writes the types of a document's schemas with quicktype, in one file. Returns its folder. */
async function generatePython(name: string): Promise<string> {
  const { InputData, JSONSchemaInput, quicktype } = requireTool('quicktype-core');
  const source = new JSONSchemaInput(undefined);
  await source.addSource({ name: 'Api', schema: JSON.stringify(schemaOf(documents[name])) });
  const inputData = new InputData();
  inputData.addInput(source);
  const { lines }: { lines: string[] } = await quicktype({ inputData, lang: 'python' });
  const modules = join(folder, name, 'python');
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, 'api.py'), lines.join('\n'));
  return modules;
}

interface Model {
  modelName: string;
  result: string;
}

/** Writes the types of a document's schemas with Modelina, each in a header of its own. Returns the folder. */
async function generateCpp(name: string): Promise<string> {
  const { CplusplusGenerator } = requireTool('@asyncapi/modelina');
  const generator = new CplusplusGenerator({ namespace: 'api' });
  const models: Model[] = await generator.generateCompleteModels(schemaOf(documents[name]), {});
  const headers = join(folder, name, 'cpp');
  mkdirSync(headers, { recursive: true });
  for (const { modelName, result } of models) {
    writeFileSync(join(headers, `${modelName}.hpp`), `#pragma once\n${result}\n`);
  }
  return headers;
}

describe.each(Object.keys(documents))('Types that are generated from the document of the %s', (name) => {
  let modules: string;
  let headers: string;
  beforeAll(async () => {
    headers = await generateCpp(name);
    modules = await generatePython(name);
  });

  describe.skipIf(!hasCpp)(`in C++${hasCpp ? '' : ' (skipped: there is no g++)'}`, () => {
    const compile = (code: string) => {
      const includes = readdirSync(headers).map((header) => `#include "${header}"\n`);
      const program = `${includes.join('')}std::string read(const api::error &error) { ${code} }\n`;
      return run('g++', ['-std=c++17', '-Wall', '-Wextra', '-fsyntax-only', '-I', headers, '-x', 'c++', '-'], program);
    };

    test('compile without a warning, and a program that reads a field does', () => {
      expect(readdirSync(headers).length).toBeGreaterThan(30);
      expect(compile('return error.error.message;')).toMatchObject({ status: 0, stderr: '' });
    });

    test('do not compile with a program that reads a field that is not there', () => {
      expect(compile('return error.error.reason;')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('reason'),
      });
    });

    test('have the type of a field that may be null, not a choice of one', () => {
      const field = name === 'api' ? 'webhook_delivery' : 'settled';
      expect(readFileSync(join(headers, `${field}.hpp`), 'utf8')).not.toContain('std::variant<std::string>');
    });
  });

  describe.skipIf(!hasPython)(
    `in Python${hasPython ? '' : ' (skipped: there is no python3 with python3-dateutil)'}`,
    () => {
      /** Reads one value of each schema with the generated types. */
      const read = (values: object) => {
        const code = 'import sys, json, api\nfor value in json.load(sys.stdin): api.api_from_dict(value)';
        return run(
          'python3',
          ['-c', `import sys\nsys.path.insert(0, ${JSON.stringify(modules)})\n${code}`],
          JSON.stringify(values),
        );
      };

      test('read every sample', () => {
        const schemas = Object.entries(documents[name]?.components.schemas ?? {});
        const values = schemas.flatMap(([schema, { examples }]) => examples.map((sample) => ({ [schema]: sample })));
        expect(values.length).toBeGreaterThan(20);
        expect(read(values)).toMatchObject({ status: 0, stderr: '' });
      });

      test('refuse a value of another type', () => {
        const [sample] = documents[name]?.components.schemas['Error']?.examples ?? [];
        expect(read([{ Error: sample }]).status).toBe(0);
        expect(read([{ Error: { error: { code: 'FORBIDDEN', message: 403 } } }]).status).toBe(1);
      });
    },
  );
});
