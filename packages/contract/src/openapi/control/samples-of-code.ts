import type { ControlOperationName, ControlQueryOf } from '../../control/operation-types.ts';
import type { ControlOperation } from '../../control/operations.ts';
import { parametersIn } from '../parameters.ts';
import { controlExamples, controlPathExamples as of, SAMPLE_SERVER } from './examples.ts';

/** True if at least one parameter of an operation's query is required. */
type NeedsQuery<Name extends ControlOperationName> =
  ControlQueryOf<Name> extends undefined ? false : Record<never, never> extends ControlQueryOf<Name> ? false : true;

/** Every operation that requires a query has an entry. */
const QUERIES: {
  readonly [Name in ControlOperationName as NeedsQuery<Name> extends true ? Name : never]: ControlQueryOf<Name>;
} & { readonly [Name in 'wait' | 'listCredentials']: ControlQueryOf<Name> } = {
  // `wait` and `listCredentials` require one of several parameters. The types of their queries do not express this
  // rule.
  wait: { deliveryId: of.deliveryId, status: 'success' },
  listCredentials: { workspaceId: of.workspaceId },
  listEndpoints: { workspaceId: of.workspaceId },
  find: { id: of.deliveryId },
};

/** Returns a sample for curl. If the response is JSON, also returns a sample for the reference server's client. */
export function controlCodeSamples(name: ControlOperationName, operation: ControlOperation, baseUrl: string): object[] {
  const { path, mediaType, streamed } = operation;
  const body = bodyOf(name, baseUrl);
  const query = (QUERIES as Partial<Record<ControlOperationName, object>>)[name];
  const samples = [{ lang: 'shell', label: 'curl', source: curlSample(operation, baseUrl, query, body) }];
  if (mediaType) return samples;
  const params = Object.fromEntries(parametersIn(path).map((parameter) => [parameter, of[parameter]]));
  const input = { ...params, ...query, ...(streamed ? { [streamed]: body } : (body as object | undefined)) };
  const given = Object.keys(input).length > 0 ? JSON.stringify(input, null, 2) : '';
  const source = `import { createControlClient } from '@svc/mock-server/testing';

const control = createControlClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  // Only if the server has an admin token.
  adminToken: process.env.SVC_ADMIN_TOKEN,
});
console.log(await control.${name}(${given}));
`;
  return [...samples, { lang: 'typescript', label: '@svc/mock-server', source }];
}

/** Returns the first sample of the body, with `baseUrl` in place of the samples' server address. */
function bodyOf(name: ControlOperationName, baseUrl: string): unknown {
  const { body: [body] = [] } = controlExamples[name] as { body?: readonly unknown[] };
  return body && JSON.parse(JSON.stringify(body).replaceAll(SAMPLE_SERVER, () => baseUrl));
}

function curlSample(
  { method, path }: ControlOperation,
  baseUrl: string,
  query: object | undefined,
  body: unknown,
): string {
  const target = parametersIn(path).reduce<string>(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(of[name])),
    path,
  );
  const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : '';
  const parts = [
    ...(method === 'GET' ? [] : [`-X ${method}`, "-H 'Content-Type: application/json'"]),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
    quoted(baseUrl + target + search),
  ];
  return `# If the server has an admin token, add: -H "Authorization: Bearer $SVC_ADMIN_TOKEN"\ncurl ${parts.join(' \\\n  ')}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
