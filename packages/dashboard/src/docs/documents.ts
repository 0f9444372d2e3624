import { SAMPLE_CREDENTIALS } from '@svc/contract';

/** The parts of an OpenAPI document that this page uses. */
export interface OpenApiDocument {
  servers: readonly { url: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
}

interface ApiOperation {
  operationId: string;
  tags: readonly string[];
  parameters?: readonly ApiParameter[];
  'x-codeSamples'?: readonly { lang: string; label: string; source: string }[];
}

interface ApiParameter {
  name: string;
  required?: boolean;
  example?: unknown;
  examples?: Readonly<Record<string, object>>;
}

/** A credential from the seed. The server shows these credentials only in its local profile. */
export interface DemoCredential {
  kind: string;
  credential: string;
}

export const demoCredential = (credentials: readonly DemoCredential[], wanted: string): string | undefined =>
  credentials.find(({ kind }) => kind === wanted)?.credential;

/**
 * Prepares a document for Scalar. Requests and samples use the page's origin, because the page's
 * Content-Security-Policy allows no other origin. In the local profile, samples contain demo credentials.
 */
export function prepareDocument(
  document: OpenApiDocument,
  serverUrl: string,
  credentials: readonly DemoCredential[],
): OpenApiDocument {
  const publicUrl = document.servers[0]?.url ?? serverUrl;
  const fillIn = (source: string) =>
    Object.entries(SAMPLE_CREDENTIALS).reduce(
      (filled, [kind, sample]) => filled.replaceAll(sample, demoCredential(credentials, kind) ?? sample),
      source.replaceAll(publicUrl, serverUrl),
    );
  const prepare = (operation: ApiOperation): ApiOperation => {
    const { parameters, 'x-codeSamples': samples } = operation;
    return {
      ...operation,
      ...(parameters && { parameters: parameters.map(offerExample) }),
      ...(samples && { 'x-codeSamples': samples.map((one) => ({ ...one, source: fillIn(one.source) })) }),
    };
  };
  return {
    ...document,
    servers: [{ url: serverUrl }],
    paths: mapValues(document.paths, (methods) => mapValues(methods, prepare)),
  };
}

/** Disables an example, so that Scalar only suggests it. Scalar sends an enabled example with each request. */
function offerExample(parameter: ApiParameter): ApiParameter {
  const { example, ...rest } = parameter;
  if (parameter.required || example === undefined) return parameter;
  return { ...rest, examples: { example: { value: example, 'x-disabled': true } } };
}

const mapValues = <In, Out>(values: Record<string, In>, map: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
