import type { AttemptedDelivery } from '../../../src/delivery/sending/attempt-request.ts';

/** The delivery of a POST, for tests in which it does not matter. */
export const attempted: AttemptedDelivery = {
  id: 'whd_1',
  endpointId: 'whe_1',
  workspaceId: 'wsp_1',
  eventType: 'lifecycle.evaluated',
  attempt: 1,
};
