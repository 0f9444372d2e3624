import type { ControlProfile } from '@svc/contract/control/resources';
import { createControlDocument } from '@svc/contract/openapi';
import { expect, test } from 'vitest';
import { calendarOf } from '../../src/domain/profiles/calendar.ts';
import { evaluateProfile } from '../../src/domain/profiles/evaluation.ts';
import { createEvaluationDay } from '../../src/domain/profiles/signals.ts';

interface Documented<Sample> {
  examples: readonly [Sample];
}
const { components } = createControlDocument('http://127.0.0.1') as {
  components: {
    schemas: {
      ControlProfile: Documented<ControlProfile>;
      Workspace: Documented<{ timezone: string; weekStartsOn: number }>;
    };
  };
};

test("the document's sample of a profile has the state, scores and signals that its evaluation computes", () => {
  const [profile] = components.schemas.ControlProfile.examples;
  const [{ timezone, weekStartsOn }] = components.schemas.Workspace.examples;
  const calendar = calendarOf(timezone);
  const seen = {
    firstSeenAt: Date.parse(profile.firstSeenAt),
    lastSeenAt: Date.parse(profile.lastSeenAt),
    activeDays: profile.activeDays,
  };
  const measuredOn = (time: string) =>
    evaluateProfile(seen, createEvaluationDay(calendar.dayOf(Date.parse(time)), weekStartsOn), calendar);
  const { state, scores, signals } = profile;
  expect(measuredOn(profile.evaluatedAt ?? '')).toEqual({ state, scores, signals });
  expect(measuredOn('2026-03-02T09:30:00.000Z')).not.toEqual({ state, scores, signals });
});
