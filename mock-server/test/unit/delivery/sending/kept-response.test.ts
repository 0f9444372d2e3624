import { expect, test } from 'vitest';
import type {
  AttemptedDelivery,
  AttemptRequest,
  SendResult,
} from '../../../../src/delivery/sending/attempt-request.ts';
import { keptHeaders, limitResponses } from '../../../../src/delivery/sending/kept-response.ts';

const KIB = 1024;
const BODY = 'x'.repeat(64 * KIB);
/** How many of these responses fit into the 16 MiB of a minute. */
const FULL = 256;

/** Responses to the attempts of two workspaces, and the time. */
function startResponses(result: SendResult) {
  let ms = 0;
  const send = limitResponses(
    async () => result,
    () => ms,
  );
  return {
    at: (time: number) => {
      ms = time;
    },
    sendTo: (workspaceId: string) => send({} as AttemptRequest, { workspaceId } as AttemptedDelivery),
  };
}

/** Returns what a workspace that has used up its 16 MiB stores of a result, whose body has at least 64 KiB. */
async function shortened(result: SendResult): Promise<SendResult> {
  const { sendTo } = startResponses(result);
  for (let sent = 0; sent < FULL; sent++) await sendTo('wsp_busy');
  return await sendTo('wsp_busy');
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

test('The values of headers with the same name are joined, whether they are an array or headers of their own', () => {
  const expected = { 'set-cookie': 'a=1, b=2', via: 'c' };
  const headers = new Headers({ via: 'c' });
  headers.append('Set-Cookie', 'a=1');
  headers.append('Set-Cookie', 'b=2');
  expect(keptHeaders(headers)).toEqual(expected);
  expect(keptHeaders(Object.entries({ 'Set-Cookie': ['a=1', 'b=2'], via: 'c' }))).toEqual(expected);
});

test('A shortened response keeps its status, its error and its first headers', async () => {
  const headers = { server: 'a', long: 'b'.repeat(2 * KIB), last: 'c' };
  const result = { response: { status: 503, headers, body: BODY }, error: 'HTTP 503' };
  expect(await shortened(result)).toEqual({
    response: { status: 503, headers: { server: 'a' }, body: 'x'.repeat(KIB) },
    error: 'HTTP 503',
  });
});

test.for([
  ['characters of one byte', BODY, 'x'.repeat(KIB)],
  ['characters of two bytes', '\u00e9'.repeat(32 * KIB), '\u00e9'.repeat(KIB / 2)],
  ['characters of three bytes', '\u20ac'.repeat(32 * KIB), '\u20ac'.repeat(Math.floor(KIB / 3))],
  ['characters of four bytes', '\u{1f600}'.repeat(16 * KIB), '\u{1f600}'.repeat(KIB / 4)],
  ['a last character that fits', `${'x'.repeat(KIB - 4)}\u{1f600}${BODY}`, `${'x'.repeat(KIB - 4)}\u{1f600}`],
  ['a last character that does not fit', `${'x'.repeat(KIB - 3)}\u{1f600}${BODY}`, 'x'.repeat(KIB - 3)],
] as const)('A shortened body keeps the whole characters of its first 1 KiB: %s', async ([, body, kept]) => {
  const response = { status: 200, headers: {}, body };
  expect(await shortened({ response })).toEqual({ response: { ...response, body: kept } });
});

test.for([
  ['one byte', 'x', KIB - 2],
  ['two bytes', '\u00e9', KIB / 2 - 1],
] as const)('A shortened response keeps 1 KiB of headers with characters of %s', async ([, character, fits]) => {
  const short = { status: 200, body: 'x'.repeat(KIB) };
  // The header's name takes two bytes.
  const headers = { ab: character.repeat(fits) };
  expect(await shortened({ response: { status: 200, headers, body: BODY } })).toEqual({
    response: { ...short, headers },
  });
  const longer = { ab: character.repeat(fits + 1) };
  expect(await shortened({ response: { status: 200, headers: longer, body: BODY } })).toEqual({
    response: { ...short, headers: {} },
  });
});

test('Small responses, errors and shortages are not changed', async () => {
  for (const result of [
    { response: { status: 204, headers: { server: 'a' }, body: '' } },
    { error: 'Connection refused' },
    { shortage: 'EMFILE' },
  ]) {
    const { sendTo } = startResponses(result);
    for (let sent = 0; sent < 2 * FULL; sent++) expect(await sendTo('wsp_busy')).toBe(result);
  }
});
