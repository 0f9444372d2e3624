import type { AttemptedDelivery } from '../../../src/delivery/attempt-request.ts';

/** The delivery that a POST is for, where the test is not about it. */
export const attempted: AttemptedDelivery = {
  id: 'whd_1',
  endpointId: 'whe_1',
  workspaceId: 'wsp_1',
  eventType: 'lifecycle.evaluated',
  attempt: 1,
};
