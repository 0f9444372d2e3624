import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '@svc/contract/openapi';
import { everyOperation } from '../src/http/control/index.ts';
import { createControlDocument } from '../src/http/control/openapi.ts';
import { createSeedJsonSchema } from '../src/storage/seed/json-schema.ts';

// Writes the documents that are published with the package. A running server serves the same ones, with its own
// address.

const SERVER = 'http://127.0.0.1:4010';

const documents = {
  'openapi.json': createOpenApiDocument(SERVER),
  'control-openapi.json': createControlDocument(SERVER, everyOperation),
  'seed.schema.json': createSeedJsonSchema(),
};
for (const [name, document] of Object.entries(documents)) {
  writeFileSync(new URL(`../dist/${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
