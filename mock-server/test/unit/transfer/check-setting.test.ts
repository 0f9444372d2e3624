import { describe, expect, test } from 'vitest';
import { problemOfSetting, type TransferSetting } from '../../../src/transfer/check-setting.ts';

/** About 8,556 years. */
const FURTHEST = 270_000_000_000_000;
const DISTANCE = `must be an integer from ${-FURTHEST} to ${FURTHEST}`;
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const FIRST = Date.parse('0000-01-01T00:00:00Z');

const step = { at: LAST, afterId: 'dlv_1', target: LAST };
const fault = {
  id: 'flt_1',
  target: 'api',
  match: { path: '/v1/me' },
  effect: { status: 500 },
  times: null,
  probability: 0.5,
  randomSeed: 7,
  matched: 3,
  struck: 2,
};
const attempt = { ...fault, target: 'delivery', match: { attempt: 4 }, effect: { duplicate: true }, times: 1 };

/** Returns the problem of a setting with a value that contains `Infinity` as an export would contain it. */
const problemOf = (name: TransferSetting, value: unknown) =>
  problemOfSetting(
    name,
    JSON.stringify(value, (_key, part) => (part === Infinity ? 'Infinity' : part)).replaceAll('"Infinity"', '1e400'),
  );

describe('A setting of an export', () => {
  test.each<[TransferSetting, unknown]>([
    ['clock', { frozenAt: FIRST }],
    ['clock', { frozenAt: LAST }],
    ['clock', { frozenAt: null, offsetMs: -FURTHEST }],
    ['clock', { frozenAt: null, offsetMs: FURTHEST }],
    ['clock', { frozenAt: 0, moving: step }],
    ['clock', { offsetMs: 0, frozenAt: null, moving: { ...step, afterId: '' } }],
    ['idLeadMs', 0],
    ['idLeadMs', FURTHEST],
    ['usedRandomSeed', true],
    ['faults', []],
    ['faults', [fault, attempt]],
  ])('is used: %s %j', (name, value) => {
    expect(problemOf(name, value)).toBeUndefined();
  });

  test.each<[TransferSetting, unknown, string]>([
    ['clock', 'now', 'clock must be an object'],
    ['clock', {}, `clock.frozenAt is missing; it ${DISTANCE}`],
    ['clock', { frozenAt: Infinity }, `clock.frozenAt ${DISTANCE}`],
    ['clock', { frozenAt: '2031-03-01T00:00:00Z' }, `clock.frozenAt ${DISTANCE}`],
    ['clock', { frozenAt: 0.5 }, `clock.frozenAt ${DISTANCE}`],
    ['clock', { frozenAt: -FURTHEST - 1 }, `clock.frozenAt ${DISTANCE}`],
    ['clock', { frozenAt: FURTHEST + 1 }, `clock.frozenAt ${DISTANCE}`],
    ['clock', { frozenAt: null }, 'clock.offsetMs is missing; it must be an integer if the clock is not frozen'],
    ['clock', { frozenAt: null, offsetMs: Infinity }, `clock.offsetMs ${DISTANCE}`],
    ['clock', { frozenAt: null, offsetMs: -FURTHEST - 1 }, `clock.offsetMs ${DISTANCE}`],
    ['clock', { frozenAt: null, offsetMs: FURTHEST + 1 }, `clock.offsetMs ${DISTANCE}`],
    ['clock', { frozenAt: 0, moving: { ...step, at: Infinity } }, `clock.moving.at ${DISTANCE}`],
    ['clock', { frozenAt: 0, moving: { ...step, target: FURTHEST + 1 } }, `clock.moving.target ${DISTANCE}`],
    ['clock', { frozenAt: 0, moving: { ...step, afterId: 1 } }, 'clock.moving.afterId must be a string'],
    ['idLeadMs', Infinity, `idLeadMs must be an integer from 0 to ${FURTHEST}`],
    ['idLeadMs', '5', `idLeadMs must be an integer from 0 to ${FURTHEST}`],
    ['idLeadMs', -1, `idLeadMs must be an integer from 0 to ${FURTHEST}`],
    ['idLeadMs', FURTHEST + 1, `idLeadMs must be an integer from 0 to ${FURTHEST}`],
    ['usedRandomSeed', 1, 'usedRandomSeed must be true'],
    ['faults', {}, 'faults must be an array'],
    ['faults', [{ ...fault, times: 0 }], 'faults.0.times must be at least 1'],
    ['faults', [{ ...fault, times: undefined }], 'faults.0.times is missing'],
    ['faults', [{ ...fault, probability: Infinity }], 'faults.0.probability must be a number'],
    ['faults', [{ ...fault, probability: 2 }], 'faults.0.probability must be at most 1'],
    ['faults', [{ ...fault, randomSeed: -1 }], 'faults.0.randomSeed must be at least 0'],
    ['faults', [{ ...fault, struck: '0' }], 'faults.0.struck must be an integer from 0'],
    ['faults', [{ ...fault, match: undefined }], 'faults.0.match is missing'],
    ['faults', [{ ...fault, effect: { delayMs: Infinity } }], 'faults.0.effect.delayMs must be'],
    ['faults', [attempt, { ...attempt, effect: { delayMs: 60_001 } }], 'faults.1.effect.delayMs must be at most 60000'],
    ['faults', [{ ...attempt, match: { attempt: Infinity } }], 'faults.0.match.attempt must be'],
  ])('is refused: %s %j', (name, value, problem) => {
    expect(problemOf(name, value)).toContain(`the setting ${problem}`);
  });
});
