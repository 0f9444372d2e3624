import { expect, test } from 'vitest';
import { disabledEndpointEmail } from '../../../src/domain/notification-email.ts';

const about = {
  userName: 'Ada',
  workspaceName: 'Production',
  endpointUrl: 'https://a.test/hook',
  endpointId: 'whe_1',
  at: '2031-03-01T00:00:00.000Z',
  baseUrl: 'https://api.test',
};

test('an email names the user, the workspace and the receiver', () => {
  const { subject, text, html } = disabledEndpointEmail({ ...about, workspaceName: 'R & D' });
  expect(subject).toBe('Webhook endpoint disabled in R & D');
  expect(text).toMatch(/^Hello Ada,\n\n5 deliveries in a row failed, so the webhook endpoint https:\/\/a.test\/hook /);
  expect(html).toContain('of the workspace R &amp; D was disabled');
});

test('names from older data write no lines of their own and no escape sequences', () => {
  const hostile = 'a\r\nBcc: evil@a.test\u001b[31m\u202e\u2028b';
  const email = disabledEndpointEmail({ ...about, userName: hostile, workspaceName: hostile, endpointUrl: hostile });
  const quiet = disabledEndpointEmail({ ...about, userName: 'x', workspaceName: 'x', endpointUrl: 'x' });
  for (const part of ['subject', 'text', 'html'] as const) {
    expect(email[part].split('\n')).toHaveLength(quiet[part].split('\n').length);
    expect(email[part].replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
  }
  expect(email.text).toMatch(/^Hello a Bcc: evil@a.test \[31m b,\n/);
});

test('a mail program does not decode a name in the subject', () => {
  const { subject, text } = disabledEndpointEmail({ ...about, workspaceName: '=?utf-8?B?DQpCY2M6?=' });
  expect(subject).toBe('Webhook endpoint disabled in = ?utf-8?B?DQpCY2M6?=');
  expect(text).toContain('of the workspace =?utf-8?B?DQpCY2M6?= was disabled');
});
