import { expectTypeOf, test } from 'vitest';
import type { ControlOperationName, ControlResponseOf, controlOperations } from '../src/control/index.ts';
import type { Operation, OperationName, operations, PlacesOf, ResponseOf } from '../src/index.ts';

type Responses = { [Name in OperationName]: ResponseOf<Name> };
type ControlResponses = { [Name in ControlOperationName]: ControlResponseOf<Name> };

/** The operations that say they change the resource of an id which their calls do not have. */
type Misplaced<Table extends Record<keyof Responses, { path: string }>, Responses> = {
  [Name in keyof Responses]: Table[Name] extends { changes: infer Changes extends object }
    ? Extract<Changes[keyof Changes], string> extends PlacesOf<Table[Name]['path'], Responses[Name]>
      ? never
      : Name
    : never;
}[keyof Responses];

test('Each id of a changed resource is in the path or in the response of the operation', () => {
  expectTypeOf<Misplaced<typeof operations, Responses>>().toBeNever();
  expectTypeOf<Misplaced<typeof controlOperations, ControlResponses>>().toBeNever();
  type Call<Place> = { call: { path: '/v1/endpoints/{endpointId}'; changes: { endpoints: Place } } };
  type Called = { call: { endpoint: { id: string } } };
  expectTypeOf<Misplaced<Call<'endpointId'>, Called>>().toBeNever();
  expectTypeOf<Misplaced<Call<'endpoint.id'>, Called>>().toBeNever();
  expectTypeOf<Misplaced<Call<'endpoint.name'>, Called>>().toEqualTypeOf<'call'>();
});

test('A write says what it changes, or that it changes nothing. A read does not', () => {
  type Write = Omit<Extract<Operation, { method: 'POST' | 'PATCH' | 'DELETE' }>, 'changes'>;
  expectTypeOf<Write & { changes: 'nothing' }>().toExtend<Operation>();
  expectTypeOf<Write & { changes: { events: 1 } }>().toExtend<Operation>();
  // biome-ignore lint/complexity/noBannedTypes: no field is what the type must refuse.
  expectTypeOf<Write & { changes: {} }>().not.toExtend<Operation>();
  expectTypeOf<Write>().not.toExtend<Operation>();
  expectTypeOf<Omit<Write, 'method'> & { method: 'GET'; changes: { events: 1 } }>().not.toExtend<Operation>();
});
