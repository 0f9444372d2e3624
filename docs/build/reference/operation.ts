import { code, page, plain, sentence, sentences, table } from './markdown.ts';
import { type Direction, fieldsTable, formsText, type Schema, typeOf } from './schema.ts';

/** The parts of an OpenAPI document that the reference pages use. */
export interface OpenApi {
  info: { description: string };
  tags?: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  /** The requests that the service sends, by event type. */
  webhooks?: Record<string, { post: OpenApiOperation }>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, { description: string; content: Content }>;
  };
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

type Content = Record<string, { schema: Schema; examples?: Record<string, { summary: string; value: unknown }> }>;

/** An operation with its method and path. */
export interface Described {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

/** Every operation of a document. */
export const operationsOf = (document: OpenApi): Described[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The errors that every call can return. Only the page about errors lists these errors. */
const EVERYWHERE = ['400', '401', '403', '408', '413', '414', '415', '429', '431', '500', '503'];

/**
 * Whether the parameter is the header that names the workspace. A page describes this header once, above the
 * operations.
 */
export const namesWorkspace = ({ in: place, description = '' }: Parameter): boolean =>
  place === 'header' && description.includes('Required with a personal access token.');

/**
 * Whether the parameter is `limit` or `page`. A reference page describes these two parameters once, above the
 * operations.
 */
export const followsPages = ({ name }: Parameter): boolean => name === 'limit' || name === 'page';

/**
 * Whether the table lists a parameter. The table leaves out path parameters, because the path shows them.
 */
const isListed = (parameter: Parameter) =>
  parameter.in !== 'path' && !namesWorkspace(parameter) && !followsPages(parameter);

/** Describes one operation: its parameters, its body, its response and its errors. */
export function describeOperation({ method, path, operation }: Described): string {
  const { summary, description = '', parameters = [], requestBody, responses } = operation;
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const errors = Object.entries(responses).filter(
    ([status]) => !status.startsWith('2') && !EVERYWHERE.includes(status),
  );
  const query = parameters.filter(isListed);
  const isPaged = parameters.some(followsPages);
  return page(
    `## ${plain(summary)}`,
    `**${method}** ${code(path)}`,
    plain(description),
    query.length > 0
      ? table(
          ['parameter', 'type', 'notes'],
          query.map(({ name, in: place, required, schema, description = schema.description ?? '' }) => [
            code(name),
            typeOf(schema),
            sentences([place === 'query' ? '' : place, required ? 'required' : '', plain(description)]),
          ]),
        )
      : '',
    requestBody ? describeContent('Body', requestBody.content, 'sent') : '',
    success ? describeContent(`Response: ${success[0]}`, success[1].content ?? {}, 'returned', isPaged) : '',
    errors.length > 0
      ? `**Errors**: ${errors.map(([status, { $ref, description }]) => errorText(status, $ref, description)).join(' ')}`
      : '',
  );
}

/** For an error with a name, returns a link to the table of errors. Otherwise, returns the description of the error. */
function errorText(status: string, $ref: string | undefined, description = ''): string {
  const name = $ref?.split('/').at(-1);
  return name ? `[${status} ${code(name)}](errors.md)` : `**${status}** ${plain(sentence(description))}`;
}

const PAGE_FIELDS = 'data nextPageUrl previousPageUrl';

function describeContent(title: string, content: Content, direction: Direction, isPaged = false): string {
  const [found] = Object.entries(content);
  if (!found) return `**${title}**, without a body`;
  const [mediaType, { schema }] = found;
  const { properties = {} } = schema;
  const isPage = Object.keys(properties).toSorted().join(' ') === PAGE_FIELDS;
  const isList = schema.type === 'array' || isPage;
  const item = isPage ? (properties['data']?.items ?? {}) : (schema.items ?? {});
  const kind = isPage ? `a ${isPaged ? 'page' : 'list'} of` : isList ? 'a list of' : '';
  const format = mediaType === 'application/json' ? '' : code(mediaType);
  const [name, inner] = wrappedIn(schema);
  const shown = isList ? item : (inner ?? schema);
  const short = shortText(shown);
  const fields = short ? '' : fieldsTable(shown, direction);
  const wrapper = isList || name === undefined ? '' : code(name);
  const intro = [`**${title}**${format || kind || wrapper || short ? ',' : ''}`, format, kind, wrapper];
  intro.push(short || formsText(shown));
  return page(`${intro.filter(Boolean).join(' ')}${fields ? ':' : ''}`.replace('**:', '**'), fields);
}

/**
 * Returns the only field of an object, if the field's schema is an inline object and not a `$ref`.
 */
function wrappedIn({ properties = {} }: Schema): [name: string, inner: Schema] | [] {
  const fields = Object.entries(properties);
  const [first] = fields;
  return fields.length === 1 && first?.[1].properties ? first : [];
}

/** Describes a response in a few words. Returns an empty string if the response needs a table of fields. */
function shortText(schema: Schema): string {
  const { properties, anyOf, oneOf } = schema;
  if (!properties && !anyOf && !oneOf) return typeOf(schema);
  const fields = Object.entries(properties ?? {});
  const [first] = fields;
  if (fields.length !== 1 || !first) return '';
  const [name, field] = first;
  if (field.const !== undefined) return code(`{ ${name}: ${JSON.stringify(field.const)} }`);
  if (field.$ref || field.items?.$ref) return `${code(name)}: ${typeOf(field)}`;
  return '';
}
