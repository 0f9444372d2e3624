import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import {
  endpointAutoDisabledEventSchema,
  lifecycleEvaluatedEventSchema,
  pingEventSchema,
  unknownEventSchema,
} from '../src/schemas.ts';

// Converts the zod schema of every event to JSON Schema, for programs in other languages.

const registry = z.registry<{ id: string }>();
registry.add(lifecycleEvaluatedEventSchema, { id: 'lifecycle.evaluated' });
registry.add(endpointAutoDisabledEventSchema, { id: 'webhook.endpoint.auto_disabled' });
registry.add(pingEventSchema, { id: 'webhook.ping' });
registry.add(unknownEventSchema, { id: 'unknown' });
const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any' });

const $defs = Object.fromEntries(
  Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
);
const document = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Event',
  description: 'The body of a delivery. A receiver also accepts events of types that it does not know.',
  anyOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs,
};
writeFileSync(new URL('../dist/events.schema.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
