import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import { UNSAFE } from './visible-text.ts';

export interface DisabledEndpoint {
  userName: string;
  workspaceName: string;
  /** Null if the endpoint was deleted. */
  endpointUrl: string | null;
  endpointId: string | null;
  /** An ISO 8601 time. */
  at: string;
  baseUrl: string;
}

export function disabledEndpointEmail(about: DisabledEndpoint) {
  const receiver = inOneLine(about.endpointUrl ?? String(about.endpointId));
  const [userName, workspaceName] = [inOneLine(about.userName), inOneLine(about.workspaceName)];
  const path = `/v1/webhooks/endpoints/${about.endpointId}`;
  const lines = [
    `Hello ${userName},`,
    `${CONSECUTIVE_FAILURES_MAX} deliveries in a row failed, so the webhook endpoint ${receiver} of the workspace ${workspaceName} was disabled at ${about.at}. The endpoint receives no deliveries until you activate it again.`,
    `When the receiver works again, activate the endpoint: PATCH ${about.baseUrl}${path} with { "active": true }. Then replay the deliveries that failed.`,
  ];
  return {
    // Break up encoded words such as `=?utf-8?B?…?=`, because a mail program could decode such a word to a line feed.
    subject: `Webhook endpoint disabled in ${workspaceName.replaceAll('=?', '= ?')}`,
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
  };
}

/** Imported or old data may contain control characters, which could add lines to the email. */
const inOneLine = (text: string) => text.replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim();

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
