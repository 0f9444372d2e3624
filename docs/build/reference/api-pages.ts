import { page, plain } from './markdown.ts';
import {
  type Described,
  describeOperation,
  followsPages,
  namesWorkspace,
  type OpenApi,
  operationsOf,
  type Parameter,
} from './operation.ts';
import { fieldsTable, type Schema } from './schema.ts';

const INTRO =
  'Each call needs `Authorization: Bearer <credential>`: see [authentication](../guides/authentication.md). Besides the errors that a call names, it can return [those of every call](errors.md).';
const WORKSPACE = 'With a personal access token, name the workspace in the header `Service-Workspace-Id`.';
/** What a page says if one of its calls returns a list. */
export const PAGED = 'A call that returns a page takes `limit` and `page`: see [pagination](../guides/pagination.md).';

/** The group of the endpoints has two pages. These calls are on the second one. */
const SECRETS_AND_TESTS = {
  title: 'Webhook secrets and tests',
  paths: /\/(?:rotate-secret|send-test-event|event-types)$/,
};

const titleOf = ({ path, operation: { tags: [tag = ''] = [] } }: Described) =>
  SECRETS_AND_TESTS.paths.test(path) ? SECRETS_AND_TESTS.title : tag;

/** The pages of the API, by their titles, with their operations. */
export const pagesOf = (document: OpenApi): Map<string, Described[]> => Map.groupBy(operationsOf(document), titleOf);

/** A page for each group of the API: its operations, and the resources that they name. */
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

/** What the calls of a page are for, in a sentence. */
export function purposeOf(operations: readonly Described[]): string {
  const purposes = operations.map(({ operation }) => plain(operation.summary));
  return `Use these calls to ${purposes.map((text) => text.charAt(0).toLowerCase() + text.slice(1)).join('; ')}.`;
}

/** Says how to follow pages, if one of the operations has them. */
export const pagedNote = (operations: readonly Described[]): string[] =>
  takes(operations, followsPages) ? [PAGED] : [];

const takes = (operations: readonly Described[], isMeant: (parameter: Parameter) => boolean) =>
  operations.some(({ operation }) => operation.parameters?.some(isMeant));

/** Some operations, and below them the resources that they name. */
export function describeGroup(operations: readonly Described[], { components: { schemas } }: OpenApi): string {
  const resources = resourcesIn(operations, schemas);
  return page(
    ...operations.map(describeOperation),
    ...resources.map((resource) => page(`## ${resource}`, fieldsTable(schemas[resource] ?? {}, 'returned'))),
  );
}

/** The named schemas that something refers to, and those that they refer to. */
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
