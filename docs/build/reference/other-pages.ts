import { ERROR_STATUSES, type ErrorCode } from '@svc/contract';
import { errorResponse } from '@svc/contract/openapi';
import { pagesOf } from './api-pages.ts';
import { code, fence, page, plain, table } from './markdown.ts';
import { type OpenApi, operationsOf } from './operation.ts';

const codes = Object.keys(ERROR_STATUSES) as ErrorCode[];

/** Creates the page about the API's error codes. */
export function createErrorsPage(document: OpenApi): string {
  const operations = operationsOf(document);
  const samplesOf = (name: ErrorCode) => Object.values(errorResponse(name).content['application/json'].examples);
  const callers = (name: ErrorCode) => {
    const able = operations.filter(({ operation }) => operation.responses[ERROR_STATUSES[name]] !== undefined);
    if (able.length === 0) return 'a path that has no such method';
    return able.length === operations.length ? 'every call' : `${able.length} of ${operations.length} calls`;
  };
  return page(
    '# Errors',
    'A response other than 2xx has a body like this:',
    fence('json', JSON.stringify(samplesOf('VALIDATION')[0]?.value, null, 2)),
    'Programs should check `code`, because the wording of `message` can change.',
    table(
      ['status', 'code', 'cause', 'can come from'],
      codes.map((name) => [
        String(ERROR_STATUSES[name]),
        code(name),
        plain(errorResponse(name).description),
        callers(name),
      ]),
    ),
    '## Messages of the reference server',
    table(
      ['code', 'when', 'message'],
      codes.flatMap((name) =>
        samplesOf(name).map(({ summary, value }) => [code(name), plain(summary), plain(value.error.message)]),
      ),
    ),
    '[Client error codes](../guides/error-codes.md) has the cause and the fix of each code. [Errors, retries, timeouts](../guides/errors-and-retries.md) explains what the client does. A receiver has its own codes for rejected deliveries: see [webhook errors](../guides/webhook-errors.md).',
  );
}

/** Creates the page that lists the machine-readable documents. */
export function createOpenApiPage(): string {
  const row = (file: string, name: string, what: string, path: string) => [
    `<a href="/${file}" target="_self">${file}</a>`,
    what,
    code(`${name}/${file}`),
    path && code(path),
  ];
  return page(
    '# Downloads: OpenAPI, JSON Schema, llms.txt',
    'You can download each document from this site. Each document is also in a package, and a running server serves some of the documents.',
    table(
      ['document', 'what it describes', 'in the package', 'on a running server'],
      [
        row('openapi.json', '@svc/mock-server', 'the API (OpenAPI 3.1)', '/openapi.json'),
        row('control-openapi.json', '@svc/mock-server', 'the control API (OpenAPI 3.1)', '/_control/openapi.json'),
        row('seed.schema.json', '@svc/mock-server', 'seed files (JSON Schema)', '/_control/seed.schema.json'),
        row('events.schema.json', '@svc/webhooks', 'the events (JSON Schema)', ''),
      ],
    ),
    'The site also has two files for language models: <a href="/llms.txt" target="_self">llms.txt</a> lists its pages, and <a href="/llms-full.txt" target="_self">llms-full.txt</a> has the text of all pages.',
  );
}

/** Creates the first page of the reference. */
export function createReferenceIndex(document: OpenApi): string {
  const groups = [...pagesOf(document)].map(([name, operations]) => [
    `[${name}](${name.toLowerCase().replaceAll(' ', '-')}.md)`,
    operations.length === 1 ? '1 call' : `${operations.length} calls`,
  ]);
  return page(
    '# Reference',
    'Look up a call, an event, an error, an option or an export. The pages about calls, commands and exports are generated from the code.',
    '## HTTP API',
    table(
      ['page', 'what it has'],
      [
        ...groups,
        ['[Event catalog](event-catalog.md)', 'what the service sends: the headers, and a sample of each event'],
        ['[Errors](errors.md)', 'every error code with its status'],
        ['[Headers and limits](../guides/headers-and-limits.md)', 'every header and every limit'],
        ['[Control API](control-api.md)', 'the calls that control the reference server in tests'],
        ['[OpenAPI and JSON Schema](openapi.md)', 'the documents from which you can generate code'],
      ],
    ),
    '## Server and commands',
    table(
      ['page', 'what it has'],
      [
        ['[The reference server](server.md)', 'how to start the server, its commands, and where it stores data'],
        ['[Configure the server](../guides/configuration.md)', 'every option and variable'],
        ['[The command `svc-mock`](command.md)', 'what `--help` prints for each command'],
        [
          '[The command `svc-webhooks`](command-svc-webhooks.md)',
          'what `--help` prints for the command of `@svc/webhooks`',
        ],
      ],
    ),
    '## Packages',
    table(
      ['package', 'overview', 'exports'],
      [
        ['`@svc/client`', '[what it does](client.md)', '[all exports](../api/@svc/client/index.md)'],
        ['`@svc/webhooks`', '[what it does](webhooks.md)', '[all exports](../api/@svc/webhooks/index.md)'],
        ['`@svc/mock-server`', '[what it does](server.md)', '[all exports](../api/@svc/mock-server/index.md)'],
      ],
    ),
  );
}
