import { expect, test } from 'vitest';
import { faultSentence, type ToldFault } from '../../../src/screens/faults/sentence.ts';

test.each<[ToldFault, string]>([
  [
    { target: 'delivery', match: { endpointId: 'whe_b' }, effect: { status: 503 }, remaining: 2 },
    'The next 2 attempts to b.test/in will get a 503.',
  ],
  [{ target: 'delivery', effect: { duplicate: true }, remaining: 1 }, 'The next attempt will be sent twice.'],
  [
    { target: 'api', effect: { status: 429 }, remaining: null, probability: 0.5 },
    'Every request gets a 429, 50 % of the time.',
  ],
  [
    { target: 'api', match: { method: 'GET', path: '/v1/events' }, effect: { delayMs: 2000 }, remaining: 3 },
    'The next 3 GET requests to /v1/events will get a response after 2 s.',
  ],
  [{ target: 'api', effect: { reset: 'response' }, remaining: 1 }, 'The next request will be processed, then cut off.'],
  [{ target: 'api', effect: { drop: true }, remaining: null }, 'Every request gets no response.'],
  [
    { target: 'api', effect: { drop: 'response' }, remaining: 2 },
    'The next 2 requests will be processed, but will get no response.',
  ],
  [{ target: 'delivery', effect: { drop: true }, remaining: 0 }, 'Used up.'],
])('%j reads "%s"', (fault, sentence) => {
  expect(faultSentence(fault, () => 'b.test/in')).toBe(sentence);
});
