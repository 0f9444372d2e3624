import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  type ControlBodyOf,
  type ControlNameOf,
  type ControlOperation,
  type ControlPath,
  type ControlQueryOf,
  type ControlResponseOf,
  controlOperations,
  type FAULT_METHODS,
} from '../src/control/index.ts';
import { controlBodies, controlQueries } from '../src/control/schemas/index.ts';
import type { controlResponses } from '../src/control/schemas/responses.ts';
import type { Operation } from '../src/index.ts';
import type { Differing } from './differing.ts';

const operations: [string, ControlOperation][] = Object.entries(controlOperations);

/** The operations whose path names something, without an error for when it is missing. */
type Unsaid<Table extends Record<keyof Table, { path: string }>> = {
  [Name in keyof Table]: Table[Name] extends { path: `${string}{${string}` }
    ? Table[Name] extends { errors: { 404: string } }
      ? never
      : Name
    : never;
}[keyof Table];

describe('The table of the control API', () => {
  test('has each method and path once', () => {
    const calls = operations.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(calls.length).toBeGreaterThan(50);
    expect(new Set(calls).size).toBe(calls.length);
  });

  test('calls a parameter in a path the same everywhere', () => {
    const places = operations.flatMap(([, { path }]) => [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)]);
    const names = new Map(places.map(([, collection, name]) => [String(collection), name]));
    for (const [, collection = '', name] of places) expect(name, collection).toBe(names.get(collection));
    expect(names.get('deliveries')).toBe('deliveryId');
  });

  test('has a body only where a request may have one', () => {
    for (const name of Object.keys(controlBodies)) expect(controlOperations[name as 'reset'].method).not.toBe('GET');
    for (const name of Object.keys(controlQueries)) expect(controlOperations[name as 'wait'].method).toBe('GET');
  });

  test('says of each operation whose path names something that it may be missing', () => {
    // Saving a snapshot that does not exist creates it.
    expectTypeOf<Unsaid<typeof controlOperations>>().toEqualTypeOf<'saveSnapshot'>();
    expectTypeOf<Unsaid<{ read: { path: '/a/{id}'; errors: { 404: string } } }>>().toBeNever();
    expectTypeOf<Unsaid<{ read: { path: '/a/{id}'; errors: { 409: string } } }>>().toEqualTypeOf<'read'>();
  });

  test('has the methods of the API where a call names one, and no other', () => {
    expectTypeOf<(typeof FAULT_METHODS)[number]>().toEqualTypeOf<Operation['method']>();
    expectTypeOf<ControlQueryOf<'listRequests'>['method']>().toEqualTypeOf<
      Operation['method'] | 'PUT' | 'HEAD' | 'OPTIONS' | undefined
    >();
    expect(controlQueries.listRequests.safeParse({ method: 'PUT' }).success).toBe(true);
    expect(controlQueries.listRequests.safeParse({ method: 'FETCH' }).success).toBe(false);
  });

  test('finds the operation of a method and a path, and no other', () => {
    expectTypeOf<ControlNameOf<'GET', '/deliveries/{deliveryId}/attempts'>>().toEqualTypeOf<'listAttempts'>();
    expectTypeOf<'/clock'>().toExtend<ControlPath<'POST'>>();
    expectTypeOf<'/clock'>().not.toExtend<ControlPath<'DELETE'>>();
  });
});

type BodySchemas = { [Name in keyof typeof controlBodies]: z.input<(typeof controlBodies)[Name]> };
type Bodies = { [Name in keyof typeof controlBodies]: ControlBodyOf<Name> };
type ResponseSchemas = { [Name in keyof typeof controlResponses]: z.output<(typeof controlResponses)[Name]> };
type Responses = { [Name in keyof typeof controlResponses]: ControlResponseOf<Name> };

test('The schemas of the control API are those of its interfaces', () => {
  // The schema of one change has every field, and a rule that takes one of them.
  expectTypeOf<Differing<BodySchemas, Bodies>>().toEqualTypeOf<'changeClock'>();
  // The schema of an injected fault has a form for each target. The interface has the fields of both.
  expectTypeOf<Differing<ResponseSchemas, Responses>>().toEqualTypeOf<'createFault' | 'listFaults'>();
});
