import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  type ControlBodyOf,
  type ControlNameOf,
  type ControlOperation,
  type ControlPath,
  type ControlResponseOf,
  controlOperations,
} from '../src/control/index.ts';
import { controlBodies, controlQueries } from '../src/control/schemas/index.ts';
import type { controlResponses } from '../src/control/schemas/responses.ts';

const operations: [string, ControlOperation][] = Object.entries(controlOperations);

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

  test('finds the operation of a method and a path, and no other', () => {
    expectTypeOf<ControlNameOf<'GET', '/deliveries/{deliveryId}/attempts'>>().toEqualTypeOf<'listAttempts'>();
    expectTypeOf<'/clock'>().toExtend<ControlPath<'POST'>>();
    expectTypeOf<'/clock'>().not.toExtend<ControlPath<'DELETE'>>();
  });
});

/** Every optional field may be left out or undefined, because they are the same in JSON. */
type Loose<Value> = Value extends object
  ? { [Key in keyof Value]: Loose<Value[Key]> | Extract<Value[Key], undefined> }
  : Value;

/** The names of the operations whose schema and interface differ. */
type Differing<Schemas, Types> = {
  [Name in keyof Schemas & keyof Types]: Schemas[Name] extends Types[Name]
    ? Types[Name] extends Loose<Schemas[Name]>
      ? never
      : Name
    : Name;
}[keyof Schemas & keyof Types];

type BodySchemas = { [Name in keyof typeof controlBodies]: z.input<(typeof controlBodies)[Name]> };
type Bodies = { [Name in keyof typeof controlBodies]: ControlBodyOf<Name> };
type ResponseSchemas = { [Name in keyof typeof controlResponses]: z.output<(typeof controlResponses)[Name]> };
type Answers = { [Name in keyof typeof controlResponses]: ControlResponseOf<Name> };

test('The schemas of the control API are those of its interfaces', () => {
  // The schema of one change has every field, and a rule that takes one of them.
  expectTypeOf<Differing<BodySchemas, Bodies>>().toEqualTypeOf<'changeClock'>();
  expectTypeOf<Differing<ResponseSchemas, Answers>>().toBeNever();
  // A difference in either direction is noticed.
  expectTypeOf<Differing<{ a: { b: string } }, { a: { b: 'c' } }>>().toEqualTypeOf<'a'>();
  expectTypeOf<Differing<{ a: { b: 'c' } }, { a: { b: string } }>>().toEqualTypeOf<'a'>();
});
