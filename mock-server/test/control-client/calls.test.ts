import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { type ControlCall, controlCalls } from '../../src/control-client/calls.ts';
import { controlOperations } from '../../src/http/control/index.ts';
import type { ControlOperation } from '../../src/http/control/operation.ts';

/** Compares only the positions of path parameters, because their names differ between the two. */
const shapeOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

/** All operations but the stream, which is read message by message and not as one answer. */
const jsonOperations = (controlOperations as readonly ControlOperation[]).filter(
  ({ mediaType }) => mediaType === undefined,
);

test('The table has exactly the operations of the control API. Add a missing call to control-client/calls.ts', () => {
  const called = new Set(Object.values(controlCalls).map(shapeOf));
  expect([...called].toSorted()).toEqual(jsonOperations.map(shapeOf).toSorted());
});

type Operations = (typeof controlOperations)[number];
type Operation<Method, Path> = Extract<Operations, { method: Method; path: Path }>;
type Calls = typeof controlCalls;
type InputOf<Name extends keyof Calls> = Calls[Name] extends ControlCall<infer Input, unknown> ? Input : never;
type AnswerOf<Name extends keyof Calls> = Calls[Name] extends ControlCall<infer _Input, infer Answer> ? Answer : never;
type BodyOf<Method, Path> = z.input<NonNullable<Operation<Method, Path>['body']>>;
type ServedBy<Method, Path> = z.output<Operation<Method, Path>['answer']>;

/** Every optional field may be left out or undefined, because they are the same in JSON. */
type Loose<Value> = Value extends object
  ? { [Key in keyof Value]: Loose<Value[Key]> | Extract<Value[Key], undefined> }
  : Value;

describe("The types of the calls match the server's schemas", () => {
  test('for inputs', () => {
    expectTypeOf<InputOf<'createOrganization'>>().toExtend<Loose<BodyOf<'POST', '/_control/organizations'>>>();
    expectTypeOf<BodyOf<'POST', '/_control/organizations'>>().toExtend<InputOf<'createOrganization'>>();
    expectTypeOf<BodyOf<'POST', '/_control/workspaces'>>().toExtend<InputOf<'createWorkspace'>>();
    expectTypeOf<InputOf<'createWorkspace'>>().toExtend<BodyOf<'POST', '/_control/workspaces'>>();
    expectTypeOf<InputOf<'createUser'>>().toExtend<BodyOf<'POST', '/_control/users'>>();
    expectTypeOf<InputOf<'createCredential'>>().toExtend<BodyOf<'POST', '/_control/credentials'>>();
    expectTypeOf<InputOf<'changeClock'>>().toExtend<BodyOf<'POST', '/_control/clock'>>();
    expectTypeOf<InputOf<'settle'>>().toExtend<BodyOf<'POST', '/_control/settle'>>();
    expectTypeOf<InputOf<'createEvent'> | InputOf<'createEvents'>>().toExtend<BodyOf<'POST', '/_control/events'>>();
    expectTypeOf<InputOf<'createFault'>>().toExtend<BodyOf<'POST', '/_control/faults'>>();
    expectTypeOf<BodyOf<'POST', '/_control/faults'>>().toExtend<InputOf<'createFault'>>();
    expectTypeOf<{ role: 'Owner' | null }>().toExtend<BodyOf<'PUT', '/_control/workspaces/{id}/members/{userId}'>>();
    // @ts-expect-error A role that does not exist. This proves that the comparison detects differences.
    expectTypeOf<{ role: 'King' }>().toExtend<BodyOf<'PUT', '/_control/workspaces/{id}/members/{userId}'>>();
  });

  test('for answers', () => {
    expectTypeOf<ServedBy<'GET', '/_control/clock'>>().toExtend<AnswerOf<'readClock'>>();
    expectTypeOf<ServedBy<'POST', '/_control/clock'>>().toExtend<AnswerOf<'changeClock'>>();
    expectTypeOf<ServedBy<'POST', '/_control/settle'>>().toExtend<AnswerOf<'settle'>>();
    expectTypeOf<ServedBy<'POST', '/_control/organizations'>>().toExtend<AnswerOf<'createOrganization'>>();
    expectTypeOf<ServedBy<'POST', '/_control/users'>>().toExtend<AnswerOf<'createUser'>>();
    expectTypeOf<ServedBy<'POST', '/_control/credentials'>>().toExtend<AnswerOf<'createCredential'>>();
    expectTypeOf<ServedBy<'GET', '/_control/deliveries/{id}/attempts'>>().toExtend<AnswerOf<'listAttempts'>>();
    expectTypeOf<ServedBy<'GET', '/_control/deliveries/{id}/explanation'>>().toExtend<AnswerOf<'explainDelivery'>>();
    expectTypeOf<ServedBy<'GET', '/_control/wait'>>().toExtend<AnswerOf<'wait'>>();
    expectTypeOf<ServedBy<'GET', '/_control/notifications'>>().toExtend<AnswerOf<'listNotifications'>>();
    expectTypeOf<ServedBy<'GET', '/_control/requests'>>().toExtend<AnswerOf<'listRequests'>>();
    expectTypeOf<ServedBy<'PUT', '/_control/workspaces/{id}/profiles'>>().toExtend<AnswerOf<'importProfiles'>>();
    expectTypeOf<ServedBy<'GET', '/_control/workspaces/{id}/profiles'>>().toExtend<AnswerOf<'listProfiles'>>();
    expectTypeOf<ServedBy<'GET', '/_control/workspaces/{id}/data-source'>>().toExtend<AnswerOf<'readDataSource'>>();
    expectTypeOf<ServedBy<'POST', '/_control/workspaces/{id}/data-source/sync'>>().toExtend<
      AnswerOf<'syncDataSource'>
    >();
    expectTypeOf<ServedBy<'GET', '/_control/workspaces/{id}/schedule'>>().toExtend<AnswerOf<'readSchedule'>>();
    expectTypeOf<ServedBy<'GET', '/_control/faults'>['faults'][number]>().toExtend<
      AnswerOf<'listFaults'>['faults'][number]
    >();
    // @ts-expect-error `frozen` is not a string. This proves that the comparison detects differences.
    expectTypeOf<ServedBy<'GET', '/_control/clock'>>().toExtend<{ frozen: string }>();
  });
});
