import { createHmac } from 'node:crypto';

export const KEY = Buffer.alloc(33, 7);
export const SECRET = `whsec_${KEY.toString('base64')}`;
export const ID = 'whd_01JZY6T5R0Q8W3E4R5T6Y7U8I9';

/**
 * Returns a message of about `size` bytes, with typical request headers and the signatures that other libraries need.
 */
export function messageOf(size: number) {
  const event = {
    id: 'evt_01JZY6T5R0Q8W3E4R5T6Y7U8I9',
    type: 'lifecycle.evaluated',
    created: '2026-05-28T20:26:40.000Z',
    subject: { id: 'wsp_1', type: 'workspace', url: '/v1/workspaces/wsp_1' },
  };
  const note = 'x'.repeat(Math.max(0, size - JSON.stringify(event).length - 10));
  const body = JSON.stringify({ ...event, note });
  const timestamp = Math.floor(Date.now() / 1000);
  const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest();
  const signature = `v1,${hmac(KEY, `${ID}.${timestamp}.${body}`).toString('base64')}`;
  const headers: Record<string, string> = {
    host: 'receiver.test',
    'user-agent': 'Service-Webhooks/1.0',
    accept: '*/*',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': ID,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
  return {
    timestamp,
    headers,
    body,
    bytes: Buffer.from(body),
    stripeHeader: `t=${timestamp},v1=${hmac(SECRET, `${timestamp}.${body}`).toString('hex')}`,
    octokitHeader: `sha256=${hmac(SECRET, body).toString('hex')}`,
  };
}
