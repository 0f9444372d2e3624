import { expectTypeOf, test } from 'vitest';
import type { Operation, OperationName, operations, PlacesOf } from '../src/index.ts';

type Table = typeof operations;

/** The operations that say they change the resource of an id which their calls do not have. */
type Misplaced = {
  [Name in OperationName]: Table[Name] extends { changes: infer Changes }
    ? Extract<Changes[keyof Changes], string> extends PlacesOf<Name>
      ? never
      : Name
    : never;
}[OperationName];

test('Each id of a changed resource is in the path or in the response of the operation', () => {
  expectTypeOf<Misplaced>().toBeNever();
  expectTypeOf<'endpointId'>().toExtend<PlacesOf<'deleteWebhookEndpoint'>>();
  expectTypeOf<'endpoint.id'>().toExtend<PlacesOf<'createWebhookEndpoint'>>();
  expectTypeOf<'endpointId'>().not.toExtend<PlacesOf<'createWebhookEndpoint'>>();
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
