import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '../src/openapi.ts';

// Writes the document that the linters read. The server serves the same one, with its own address, at /openapi.json.
const target = new URL('../openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(createOpenApiDocument('https://api.service.test'), null, 2)}\n`);
