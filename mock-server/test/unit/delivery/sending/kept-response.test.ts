import { expect, test } from 'vitest';
import type { AttemptedDelivery, AttemptRequest, Exchange } from '../../../../src/delivery/sending/attempt-request.ts';
import { limitResponses } from '../../../../src/delivery/sending/kept-response.ts';

const KIB = 1024;
const BODY = 'x'.repeat(64 * KIB);
/** How many of these responses fit into the 16 MiB of a minute. */
const FULL = 256;

/** Responses to the attempts of two workspaces, and the time. */
function startResponses(exchange: Exchange) {
  let ms = 0;
  const send = limitResponses(
    async () => exchange,
    () => ms,
  );
  return {
    at: (time: number) => {
      ms = time;
    },
    sendTo: (workspaceId: string) => send({} as AttemptRequest, { workspaceId } as AttemptedDelivery),
  };
}

test('A workspace stores 16 MiB of responses in a minute, then 1 KiB of each body, and all again in the next minute', async () => {
  const response = { status: 200, headers: {}, body: BODY };
  const { sendTo, at } = startResponses({ response });
  for (let sent = 0; sent < FULL; sent++) expect(await sendTo('wsp_busy')).toEqual({ response });
  at(59_999);
  expect(await sendTo('wsp_busy')).toEqual({ response: { ...response, body: 'x'.repeat(KIB) } });
  expect(await sendTo('wsp_other')).toEqual({ response });
  at(60_000);
  expect(await sendTo('wsp_busy')).toEqual({ response });
});

test('A shortened response keeps its status, its error, its first headers and only whole characters', async () => {
  const headers = { server: 'a', long: 'b'.repeat(2 * KIB), last: 'c' };
  // The cut is in the middle of the second character.
  const body = `${'x'.repeat(KIB - 1)}\u{1f600}${BODY}`;
  const exchange = { response: { status: 503, headers, body }, error: 'HTTP 503' };
  const { sendTo } = startResponses(exchange);
  for (let sent = 0; sent < FULL; sent++) await sendTo('wsp_busy');
  expect(await sendTo('wsp_busy')).toEqual({
    response: { status: 503, headers: { server: 'a' }, body: `${'x'.repeat(KIB - 1)}\ufffd` },
    error: 'HTTP 503',
  });
});

test('Small responses, errors and shortages are not changed', async () => {
  for (const exchange of [
    { response: { status: 204, headers: { server: 'a' }, body: '' } },
    { error: 'Connection refused' },
    { shortage: 'EMFILE' },
  ]) {
    const { sendTo } = startResponses(exchange);
    for (let sent = 0; sent < 2 * FULL; sent++) expect(await sendTo('wsp_busy')).toBe(exchange);
  }
});
