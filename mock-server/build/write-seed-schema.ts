import { writeFileSync } from 'node:fs';
import { createSeedJsonSchema } from '../src/storage/seed/json-schema.ts';

writeFileSync(
  new URL('../dist/seed.schema.json', import.meta.url),
  `${JSON.stringify(createSeedJsonSchema(), null, 2)}\n`,
);
