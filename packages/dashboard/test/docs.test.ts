import { expect, test } from 'vitest';
import { anchorsOf } from '../src/docs/anchors.ts';
import { type OpenApiDocument, prepareDocument } from '../src/docs/documents.ts';

const source = "curl -H 'Authorization: Bearer svc_sk_…' 'https://api.test/svc/v1/me' # svc_pat_…";
const document: OpenApiDocument = {
  servers: [{ url: 'https://api.test/svc' }],
  paths: {
    '/v1/me': {
      get: {
        operationId: 'retrieveIdentity',
        tags: ['Who you are'],
        'x-codeSamples': [{ lang: 'shell', label: 'curl', source }],
      },
      post: { operationId: 'other', tags: [] },
    },
  },
};
const credentials = [
  { kind: 'personal_access_token', credential: 'svc_pat_test_x' },
  { kind: 'api_key', credential: 'svc_sk_test_first' },
  { kind: 'api_key', credential: 'svc_sk_test_second' },
];

const samplesOf = ({ paths }: OpenApiDocument) => paths['/v1/me']?.['get']?.['x-codeSamples']?.map((one) => one.source);

test('requests and samples go to the page’s own origin, with demo credentials', () => {
  const prepared = prepareDocument(document, 'http://localhost:4010', credentials);
  expect(prepared.servers).toEqual([{ url: 'http://localhost:4010' }]);
  expect(samplesOf(prepared)).toEqual([
    "curl -H 'Authorization: Bearer svc_sk_test_first' 'http://localhost:4010/v1/me' # svc_pat_test_x",
  ]);
});

test('without demo credentials, samples keep their placeholders', () => {
  expect(samplesOf(prepareDocument(document, 'https://api.test/svc', []))).toEqual([source]);
});

test('a request has the examples of required parameters only', () => {
  const id = { name: 'id', required: true, example: 'wsp_1' };
  const limit = { name: 'limit', required: false, example: 2 };
  const get = { operationId: 'list', tags: [], parameters: [id, limit] };
  const { paths } = prepareDocument({ ...document, paths: { '/list/{id}': { get } } }, 'http://localhost:4010', []);
  expect(paths['/list/{id}']?.['get']?.parameters).toEqual([
    id,
    { name: 'limit', required: false, examples: { example: { value: 2, 'x-disabled': true } } },
  ]);
});

test('an operation has the anchor of its document and tag', () => {
  expect([...anchorsOf({ api: document })]).toEqual([
    ['retrieveIdentity', 'api/tag/who-you-are/retrieveIdentity'],
    ['other', 'api/other'],
  ]);
});
