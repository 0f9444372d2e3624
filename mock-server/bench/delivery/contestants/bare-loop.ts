// A loop that signs messages and POSTs them, and does nothing else.

import { createSecretKey, randomBytes } from 'node:crypto';
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { compete } from '../contestant.ts';
import { createSender, measure } from '../job.ts';

const BODY = JSON.stringify({
  id: 'evt_01JQ0000000000000000000000',
  type: 'lifecycle.evaluated',
  created: '2031-03-01T00:00:00.000Z',
  subject: {
    id: 'wsp_01JQ0000000000000000000000',
    type: 'workspace',
    url: '/v1/workspaces/wsp_01JQ0000000000000000000000',
  },
});

compete(async ({ receiverUrl, deliveries, connections = DEFAULT_CONFIG.concurrency }) => {
  const sender = createSender(receiverUrl, connections);
  const keys = [createSecretKey(randomBytes(33))];
  let left = deliveries;
  const worker = async () => {
    while (left-- > 0) await sender.send({ id: `whd_${left}`, path: '/', body: BODY, keys });
  };
  const measured = await measure(deliveries, () => Promise.all(Array.from({ length: connections }, worker)));
  await sender.close();
  return measured;
});
