import { type Operation, type OperationName, operations } from '@svc/contract';
import { exactResponseSchemas } from '@svc/contract/schemas/exact';
import type { Target } from '../src/target.ts';

/**
 * Wraps `send`. The returned function throws if the successful response of an operation does not have exactly the form
 * that the reference server sends. Otherwise, the function adds the name of the operation to `held`.
 */
export function holdToForm(send: Target['fetch'], held = new Set<OperationName>()): Target['fetch'] {
  return async (request) => {
    const response = await send(request);
    const name = response.ok ? operationOf(request) : undefined;
    if (name === undefined) return response;
    const { error } = exactResponseSchemas[operations[name].response].safeParse(await response.clone().json());
    if (error) throw new Error(`${request.method} ${request.url}: not in the server's exact form: ${error.message}`);
    held.add(name);
    return response;
  };
}

// Try the paths without a parameter first. Otherwise, `event-types` in `…/endpoints/event-types` would match as an id.
const patterns = (Object.entries(operations) as [OperationName, Operation][])
  .toSorted(([, a], [, b]) => a.path.split('{').length - b.path.split('{').length)
  .map(([name, { method, path }]) => ({
    name,
    pattern: new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

const operationOf = ({ method, url }: Request) =>
  patterns.find(({ pattern }) => pattern.test(`${method} ${new URL(url).pathname}`))?.name;
