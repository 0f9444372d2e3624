import { writeFileSync } from 'node:fs';
import { createControlDocument, createOpenApiDocument } from '../src/openapi.ts';

// Writes the OpenAPI documents that the linters read. The server serves these documents, with its own address, at
// /openapi.json and /_control/openapi.json.
const SERVER = 'https://api.service.test';
const documents = { openapi: createOpenApiDocument(SERVER), 'control-openapi': createControlDocument(SERVER) };
for (const [name, document] of Object.entries(documents)) {
  writeFileSync(new URL(`../${name}.json`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
