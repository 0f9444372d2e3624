import { parseCurl } from '@svc/webhooks/diagnose';
import { expect, test } from 'vitest';
import { asCurl } from '../../../../../src/cli/commands/deliveries/as-curl.ts';
import { visibleText } from '../../../../../src/domain/visible-text.ts';

const request = { url: 'http://127.0.0.1:3000/', headers: { 'webhook-id': 'whd_1', host: '127.0.0.1:3000' } };

test.each(['@/etc/passwd', '{"name":"it\'s"}', '{"name":"\u202e\u009b2J\\u001b \' é"}'])(
  'the body %j is sent as it was, and nothing in the command acts on a terminal',
  (body) => {
    const command = asCurl(request as never, body);
    expect(visibleText(command)).toBe(command);
    expect(parseCurl(command)).toEqual({ headers: [['webhook-id', 'whd_1']], body });
  },
);

test('curl sends one request, even if the URL contains brackets', () => {
  const command = asCurl({ ...request, url: 'https://x.test/?a=[1-100000]' } as never, '{}');
  expect(command).toMatch(/^curl -g -X POST 'https:\/\/x\.test\/\?a=\[1-100000\]' /);
  expect(parseCurl(command)).toEqual({ headers: [['webhook-id', 'whd_1']], body: '{}' });
});
