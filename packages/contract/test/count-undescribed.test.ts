import { describe, expect, test } from 'vitest';
import { findLacking } from '../build/count-undescribed.ts';
import { createControlDocument, createOpenApiDocument } from '../src/openapi.ts';

const said = { description: 'A.', example: 1 };

describe('What the documents lack', () => {
  test('is nothing: everything has a description, and a sample that shows something', () => {
    for (const create of [createOpenApiDocument, createControlDocument]) {
      expect(findLacking(create('https://api.service.test'))).toEqual({ undescribed: [], unexampled: [] });
    }
  });

  test.each([
    ['a property', { schema: { properties: { a: { examples: [1] } } } }, ['schema/properties/a'], []],
    [
      'a property without a sample',
      { schema: { properties: { a: { description: 'A.' } } } },
      [],
      ['schema/properties/a'],
    ],
    ['only null', { properties: { a: { description: 'A.', examples: [null] } } }, [], ['properties/a']],
    ['only empty values', { properties: { a: { description: 'A.', examples: [[], {}, ''] } } }, [], ['properties/a']],
    ['null and a value', { properties: { a: { description: 'A.', examples: [null, 0] } } }, [], []],
    [
      'a nested property',
      { properties: { properties: { ...said, properties: { a: {} } } } },
      ['properties/properties/properties/a'],
      ['properties/properties/properties/a'],
    ],
    ['a parameter', { parameters: [said, { example: 1 }] }, ['parameters/1'], []],
    ['a header', { headers: { Age: { description: 'A.' } } }, [], ['headers/Age']],
    ['a response', { responses: { 200: { description: ' ' } } }, ['responses/200'], []],
    [
      'the body of a request',
      { paths: { '/a': { post: { description: 'A.', requestBody: { description: 'undefined Rejected.' } } } } },
      ['paths//a/post/requestBody'],
      [],
    ],
    ['an operation', { paths: { '/a': { get: { summary: 'A.' } } } }, ['paths//a/get'], []],
    [
      'a text that was not filled in',
      { properties: { a: { description: 'Id of the undefined.', examples: [1] } } },
      ['properties/a'],
      [],
    ],
    [
      'a reference',
      { properties: { a: { description: 'A.', $ref: '#/a' }, b: { $ref: '#/b' } } },
      ['properties/b'],
      [],
    ],
  ])('is found: %s', (_what, document, undescribed, unexampled) => {
    expect(findLacking(document)).toEqual({ undescribed, unexampled });
  });
});
