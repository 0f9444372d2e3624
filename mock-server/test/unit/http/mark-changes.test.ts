import type { OperationChanges } from '@svc/contract';
import { expect, test } from 'vitest';
import { markChanges } from '../../../src/http/mark-changes.ts';

/** What the pages and the engine hear of a call. */
function heardOf(changes: OperationChanges, ids: object): unknown[] {
  const heard: unknown[] = [];
  const services = {
    changes: { mark: (changed: object) => heard.push(changed), listen: () => expect.fail(), close() {} },
    endpointChanged: (id: string) => heard.push(`endpoint ${id}`),
    wakeDelivery: () => heard.push('wake'),
  };
  markChanges(services, changes, ids);
  return heard;
}

test('the pages and the engine hear of a changed endpoint, by its id in the path or in the response', () => {
  const heard = [{ endpoints: ['whe_1'] }, 'endpoint whe_1'];
  expect(heardOf({ endpoints: 'endpointId' }, { endpointId: 'whe_1' })).toEqual(heard);
  expect(heardOf({ endpoints: 'endpoint.id' }, { endpoint: { id: 'whe_1' } })).toEqual(heard);
});

test('the engine wakes for a new delivery, and for nothing else', () => {
  const ping = { ping: { deliveryId: 'whd_1' } };
  expect(heardOf({ events: 1, deliveries: 'ping.deliveryId' }, ping)).toEqual([
    { events: 1, deliveries: ['whd_1'] },
    'wake',
  ]);
  expect(heardOf({ tenants: true }, {})).toEqual([{ tenants: true }]);
});

test('a call without the id that the table names fails', () => {
  expect(() => heardOf({ endpoints: 'endpoint.id' }, { endpoint: {} })).toThrow('A call has no id at "endpoint.id".');
});
