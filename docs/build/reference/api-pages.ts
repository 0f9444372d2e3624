import { page } from './markdown.ts';
import { describeOperation, type OpenApi, operationsOf } from './operation.ts';
import { fieldsTable, type Schema } from './schema.ts';

/** A page for each group of the API, with its operations and the resources they use. */
export function createApiPages(document: OpenApi): Record<string, string> {
  return Object.fromEntries(
    (document.tags ?? []).map(({ name }) => {
      const operations = operationsOf(document).filter(({ operation }) => operation.tags?.includes(name));
      const resources = resourcesIn(operations, document.components.schemas);
      return [
        name.toLowerCase().replaceAll(' ', '-'),
        page(
          `# ${name}`,
          'Every call needs `Authorization: Bearer <credential>`: see [authentication](../guides/authentication.md). Beside the errors that a call names, it can answer with [those of every call](errors.md).',
          ...operations.map(({ method, path, operation }) => describeOperation(method, path, operation)),
          ...resources.map((resource) =>
            page(
              `## ${resource}`,
              'A resource, as the answers above contain it.',
              fieldsTable(document.components.schemas[resource] ?? {}),
            ),
          ),
        ),
      ];
    }),
  );
}

/** The named schemas that are used, directly or by other used schemas. */
function resourcesIn(from: unknown, schemas: Record<string, Schema>): string[] {
  const found = new Set<string>();
  const look = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name) || name === 'JsonValue') continue;
      found.add(name);
      look(schemas[name]);
    }
  };
  look(from);
  return [...found].toSorted();
}
