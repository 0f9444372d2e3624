import type { ControlOperationName } from '../../control/operation-types.ts';
import type { ControlOperation } from '../../control/operations.ts';
import { controlExamples, controlPathExamples } from './examples.ts';

/** How to call an operation with curl and, if its answer is JSON, with the client of the reference server. */
export function controlCodeSamples(name: ControlOperationName, operation: ControlOperation, baseUrl: string): object[] {
  const { method, path, mediaType, streamed } = operation;
  const { body: [body] = [] } = controlExamples[name] as { body?: readonly unknown[] };
  const url =
    baseUrl + path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => controlPathExamples[parameter] ?? '');
  const curl = [
    ...(method === 'GET' ? [] : [`-X ${method}`, "-H 'Content-Type: application/json'"]),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
    `'${url}'`,
  ];
  const samples = [{ lang: 'shell', label: 'curl', source: `curl ${curl.join(' \\\n  ')}` }];
  if (mediaType) return samples;
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => [
    parameter,
    controlPathExamples[parameter],
  ]);
  const input = { ...Object.fromEntries(params), ...(streamed ? { [streamed]: body } : (body as object | undefined)) };
  const given = Object.keys(input).length > 0 ? JSON.stringify(input, null, 2) : '';
  const source = `import { createControlClient } from '@svc/mock-server/testing';

const control = createControlClient({ baseUrl: '${baseUrl}' });
console.log(await control.${name}(${given}));
`;
  return [...samples, { lang: 'typescript', label: '@svc/mock-server', source }];
}
