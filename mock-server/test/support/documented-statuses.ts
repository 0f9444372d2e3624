import { ERROR_STATUSES } from '@svc/contract';
import { createControlDocument, createOpenApiDocument } from '@svc/contract/openapi';

const BASE_URL = 'http://127.0.0.1';

type Methods = Readonly<Record<string, { responses: object }>>;

const documents = [createOpenApiDocument(BASE_URL), createControlDocument(BASE_URL)];

// A path without a parameter comes first: the end of `…/endpoints/event-types` is not an id.
const paths = documents
  .flatMap((document) => Object.entries(document['paths'] as Record<string, Methods>))
  .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
  .map(([path, methods]) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), methods }));

/** A fault answers with any other status, too. */
const statuses: readonly number[] = Object.values(ERROR_STATUSES);

/**
 * Checks a status that the server answered with. A handler that throws an error which the table of operations does not
 * name would otherwise stay unnoticed.
 *
 * @throws if the OpenAPI document has the operation without this status.
 */
export function requireDocumented(method: string, path: string, status: number): void {
  if (status >= 400 && !statuses.includes(status)) return;
  const { pathname } = new URL(path, BASE_URL);
  const operation = paths.find(({ pattern }) => pattern.test(pathname))?.methods[method.toLowerCase()];
  if (operation && !(status in operation.responses)) {
    throw new Error(`${method} ${pathname} answered with ${status}, which its OpenAPI document does not have.`);
  }
}
