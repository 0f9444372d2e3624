import { expectTypeOf, test } from 'vitest';
import type { OperationName, operations, PlacesOf } from '../src/index.ts';

type Table = typeof operations;

/** The operations that say they change the resource of an id which their calls do not have. */
type Misplaced = {
  [Name in OperationName]: Table[Name] extends { changes: infer Changes }
    ? Extract<Changes[keyof Changes], string> extends PlacesOf<Name>
      ? never
      : Name
    : never;
}[OperationName];

test('Each id of a changed resource is in the path or in the answer of the operation', () => {
  expectTypeOf<Misplaced>().toBeNever();
  expectTypeOf<'endpointId'>().toExtend<PlacesOf<'deleteWebhookEndpoint'>>();
  expectTypeOf<'endpoint.id'>().toExtend<PlacesOf<'createWebhookEndpoint'>>();
  expectTypeOf<'endpointId'>().not.toExtend<PlacesOf<'createWebhookEndpoint'>>();
});
