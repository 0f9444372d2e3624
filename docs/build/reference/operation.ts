import { code, fence, page, plain, sentence, table } from './markdown.ts';
import { fieldsTable, type Schema, typeOf } from './schema.ts';

/** The parts of an OpenAPI document that these pages use. */
export interface OpenApi {
  info: { description: string };
  tags?: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, unknown> };
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>;
}

type Content = Record<string, { schema: Schema }>;

/** Every operation of a document with its method and path. */
export const operationsOf = (document: OpenApi): { method: string; path: string; operation: OpenApiOperation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Statuses that every call can return. The page of errors lists them once. */
const EVERYWHERE = ['400', '401', '403', '408', '413', '414', '415', '429', '431', '500', '503'];

/** Describes one operation: its input, its answer and its errors. */
export function describeOperation(method: string, path: string, operation: OpenApiOperation): string {
  const { summary, description = sentence(summary), parameters = [], requestBody, responses } = operation;
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const errors = Object.entries(responses).filter(
    ([status]) => !status.startsWith('2') && !EVERYWHERE.includes(status),
  );
  return page(
    // The summary adds details after its first comma, and the description repeats them.
    `## ${plain(summary.replace(/[;,:] .*/, ''))}`,
    fence('http', `${method} ${path}`),
    plain(description === `${summary}.` ? sentence(summary) : description),
    parameters.length > 0
      ? table(
          ['parameter', 'in', 'type', 'notes'],
          parameters.map(({ name, in: place, required, description = '', schema }) => [
            code(name),
            place,
            typeOf(schema),
            [required ? 'required' : '', plain(description)].filter(Boolean).join('; '),
          ]),
        )
      : '',
    requestBody ? `**Body**\n\n${describeContent(requestBody.content)}` : '',
    success ? `**Answer: ${success[0]}**\n\n${describeContent(success[1].content ?? {})}` : '',
    errors.length > 0
      ? `**Errors**: ${errors.map(([status, { $ref, description }]) => errorText(status, $ref, description)).join(' ')}`
      : '',
  );
}

/** A named error links to the table of errors. Any other says what it means here. */
function errorText(status: string, $ref: string | undefined, description = ''): string {
  const name = $ref?.split('/').at(-1);
  return name ? `[${status} ${code(name)}](errors.md)` : `**${status}** ${plain(sentence(description))}`;
}

function describeContent(content: Content): string {
  const [found] = Object.entries(content);
  if (!found) return 'No body.';
  const [mediaType, { schema }] = found;
  const isList = schema.type === 'array';
  const fields = fieldsTable(isList ? (schema.items ?? {}) : schema);
  const intro = mediaType !== 'application/json' ? `${code(mediaType)}.` : isList ? 'A list of:' : '';
  return page(intro, fields || sentence(typeOf(schema)));
}
