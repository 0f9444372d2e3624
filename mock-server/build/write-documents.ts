import { readFileSync, writeFileSync } from 'node:fs';
import { createControlDocument, createOpenApiDocument } from '@svc/contract/openapi';
import { createSeedJsonSchema } from '../src/storage/seed/schema.ts';
import { BUNDLED } from './bundled.ts';

// Writes the documents that are published with the package. A running server serves the same documents, but with its
// own address in them. The files are for programs, so they are not indented: indentation would double their size.

const SERVER = 'http://127.0.0.1:4010';

const documents = {
  'openapi.json': createOpenApiDocument(SERVER),
  'control-openapi.json': createControlDocument(SERVER),
  'seed.schema.json': createSeedJsonSchema(),
};
const licenses = BUNDLED.map((name) => {
  const folder = new URL(`../../node_modules/${name}/`, import.meta.url);
  return `${name}\n\n${readFileSync(new URL('LICENSE', folder), 'utf8').trim()}\n`;
});
writeFileSync(
  new URL('../dist/third-party-licenses.txt', import.meta.url),
  `These files contain code of the following libraries.\n\n${licenses.join('\n---\n\n')}`,
);

for (const [name, document] of Object.entries(documents)) {
  writeFileSync(new URL(`../dist/${name}`, import.meta.url), `${JSON.stringify(document)}\n`);
}
