import { details, fence, page, plain } from './markdown.ts';
import {
  type Described,
  describeOperation,
  followsPages,
  namesWorkspace,
  type OpenApi,
  operationsOf,
  type Parameter,
} from './operation.ts';
import { fieldsTable, formsOf, type Schema, typeOf } from './schema.ts';

const INTRO =
  'Each call needs `Authorization: Bearer <credential>`. See [authentication](../guides/authentication.md). Each call can return the errors that it lists, and the [errors of every call](errors.md).';
const WORKSPACE = 'With a personal access token, name the workspace in the header `Service-Workspace-Id`.';
/** This sentence is on each page that describes a call with a list in its response. */
const PAGED = 'A call that returns a page takes `limit` and `page`. See [lists](../guides/lists-and-expand.md).';

/** Calls that have separate pages, because these calls would make the page of their group too long. */
const OWN_PAGES = [
  { title: 'Webhook secrets and tests', paths: /\/(?:rotate-secret|send-test-event|event-types)$/ },
  { title: 'Search', paths: /\/search$/ },
];

const titleOf = ({ path, operation: { tags: [tag = ''] = [] } }: Described) =>
  OWN_PAGES.find(({ paths }) => paths.test(path))?.title ?? tag;

/** Groups the operations by the title of the API page that describes them. */
export const pagesOf = (document: OpenApi): Map<string, Described[]> => Map.groupBy(operationsOf(document), titleOf);

/**
 * Creates a page for each group of the API. The page describes the group's operations, and the resources that these
 * operations name.
 */
export function createApiPages(document: OpenApi): Record<string, string> {
  return Object.fromEntries(
    [...pagesOf(document)].map(([name, operations]) => {
      const intro = [INTRO, ...(takes(operations, namesWorkspace) ? [WORKSPACE] : [])];
      return [
        name.toLowerCase().replaceAll(' ', '-'),
        page(
          `# ${name}`,
          purposeOf(operations),
          [...intro, ...pagedNote(operations)].join(' '),
          describeGroup(operations, document),
        ),
      ];
    }),
  );
}

/** Returns one sentence that lists the purposes of a page's calls. */
export function purposeOf(operations: readonly Described[]): string {
  const purposes = operations.map(({ operation }) => plain(operation.summary));
  return `Use these calls to ${purposes.map((text) => text.charAt(0).toLowerCase() + text.slice(1)).join('; ')}.`;
}

/** Explains `limit` and `page`, if one of the operations has these parameters. */
export const pagedNote = (operations: readonly Described[]): string[] =>
  takes(operations, followsPages) ? [PAGED] : [];

const takes = (operations: readonly Described[], isMeant: (parameter: Parameter) => boolean) =>
  operations.some(({ operation }) => operation.parameters?.some(isMeant));

/** Describes the operations, and below them the resources that the operations name. */
export function describeGroup(operations: readonly Described[], { components: { schemas } }: OpenApi): string {
  const named = JSON.stringify(operations);
  // A resource that only occurs inside other resources needs no sample, because their samples already contain it.
  const isDirect = (name: string) => named.includes(`#/components/schemas/${name}"`);
  return page(...operations.map(describeOperation), describeResources(operations, schemas, isDirect));
}

/** Describes each resource that the JSON in `from` refers to: its fields, and its sample if it has one. */
export function describeResources(
  from: unknown,
  schemas: Record<string, Schema>,
  hasSample: (name: string) => boolean,
): string {
  const names = resourcesIn(from, schemas);
  return page(
    ...names.map((name) => {
      const { description = '', examples: [sample] = [], ...schema } = schemas[name] ?? {};
      const base = names.find((other) => isExtension(name, other));
      const inherited = Object.keys(schemas[base ?? '']?.properties ?? {});
      return page(
        `## ${name}`,
        plain(description),
        formsOf(schema).some(({ $ref }) => $ref) ? `It is ${typeOf(schema)}.` : '',
        base ? `It has the fields of [${base}](#${base.toLowerCase()}), and:` : '',
        fieldsTable(without(schema, inherited), 'returned'),
        sample !== undefined && hasSample(name)
          ? details('Sample', fence('json', JSON.stringify(sample, null, 2)))
          : '',
      );
    }),
  );
}

/**
 * Whether a resource extends `base` with more fields. `WebhookDeliveryDetail`, for example, extends `WebhookDelivery`.
 */
const isExtension = (name: string, base: string) => name === `${base}Detail`;

const without = (schema: Schema, names: readonly string[]): Schema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))),
});

/** The names of the schemas that the JSON in `from` refers to, directly or through other schemas. */
function resourcesIn(from: unknown, schemas: Record<string, Schema>): string[] {
  const found = new Set<string>();
  const look = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name) || name === 'JsonValue' || name === 'Error') continue;
      found.add(name);
      look(schemas[name]);
    }
  };
  look(from);
  return [...found].toSorted();
}
