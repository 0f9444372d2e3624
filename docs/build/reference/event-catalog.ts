import { EVENT_CATALOG } from '@svc/contract';
import { describeResources } from './api-pages.ts';
import { code, details, fence, page, plain, table } from './markdown.ts';
import type { OpenApi, OpenApiOperation } from './operation.ts';
import { fieldsTable } from './schema.ts';

/** Creates the page about the event catalog from the `webhooks` in the OpenAPI document. */
export function createEventCatalogPage({ webhooks = {}, components: { schemas } }: OpenApi): string {
  const events = EVENT_CATALOG.flatMap(({ type }) => {
    const { post } = webhooks[type] ?? {};
    return post ? [{ type, post }] : [];
  });
  const payloads = events.map(({ post }) => payloadOf(post, schemas).schema);
  return page(
    '# Event catalog: payloads and headers',
    'The service sends these events. Subscribe to a type, or to a prefix such as `lifecycle.*`. Only the reference server also accepts `*` (every type). A receiver must accept types that it does not know. See [handle events](../guides/handle-events.md#when-an-event-is-unknown).',
    table(
      ['type', 'category', 'when'],
      EVENT_CATALOG.map(({ type, category, description }) => [code(type), category, plain(description)]),
    ),
    '## Headers',
    'Each delivery is a POST with `Content-Type: application/json` and these headers:',
    table(
      ['header', 'notes'],
      (events[0]?.post.parameters ?? []).map(({ name, description = '' }) => [code(name), plain(description)]),
    ),
    `The secret of the samples below is ${code(secretOf(schemas))}. The timestamps of the samples are old. A receiver can verify the samples only if it accepts old timestamps.`,
    ...events.map(({ type, post }) => describeEvent(type, post, schemas)),
    // These resources need no sample, because the sample of each event contains the event's subject.
    describeResources(payloads, schemas, () => false),
    '## As JSON Schema',
    'The schema of every event is published as `@svc/webhooks/events.schema.json`, and on this site as <a href="/events.schema.json" target="_self">events.schema.json</a>.',
  );
}

function describeEvent(type: string, post: OpenApiOperation, schemas: OpenApi['components']['schemas']): string {
  const { schema, sample } = payloadOf(post, schemas);
  const headers = (post.parameters ?? []).map(({ name, example }) => `${name}: ${example}`);
  return page(
    `## ${code(type)}`,
    plain(post.description ?? ''),
    fieldsTable(schema, 'returned'),
    fence('http', ['content-type: application/json', ...headers, '', JSON.stringify(sample)].join('\n')),
    details('The body, indented', fence('json', JSON.stringify(sample, null, 2))),
  );
}

function payloadOf({ requestBody }: OpenApiOperation, schemas: OpenApi['components']['schemas']) {
  const { schema: { $ref = '' } = {}, examples = {} } = requestBody?.content['application/json'] ?? {};
  return { schema: schemas[String($ref.split('/').at(-1))] ?? {}, sample: Object.values(examples)[0]?.value };
}

const secretOf = (schemas: OpenApi['components']['schemas']) =>
  String((schemas['WebhookSecret']?.examples?.[0] as { secret?: string } | undefined)?.secret);
