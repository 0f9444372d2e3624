import { code, page, plain, table } from './markdown.ts';
import { describeOperation, type OpenApi, operationsOf } from './operation.ts';

/** The page of the control API. */
export function createControlPage(document: OpenApi): string {
  const operations = operationsOf(document);
  return page(
    '# Control API',
    plain(document.info.description),
    'It is part of the reference server only. The real service does not have it. `svc-mock` and `@svc/mock-server/testing` call it for you.',
    table(
      ['call', 'does'],
      operations.map(({ method, path, operation }) => [code(`${method} ${path}`), plain(operation.summary)]),
    ),
    ...operations.map(({ method, path, operation }) => describeOperation(method, path, operation)),
  );
}
