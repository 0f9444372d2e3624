import type { AnswerOf, OperationName, operations } from '@svc/contract';
import type { Route, RouteAnswers } from '../../src/testing.ts';
import type { Equal, Expect } from './assert.ts';

type Table = typeof operations;
type RouteOf<Name extends OperationName> = `${Table[Name]['method']} ${Table[Name]['path']}`;
type Derived = { [Name in OperationName as RouteOf<Name>]: AnswerOf<Name> };

// The routes that the mock transport types are those of the contract, each with its answer.
export type Routes = [
  Expect<Equal<Route, keyof Derived>>,
  Expect<Equal<{ [Name in Route]: Equal<RouteAnswers[Name], Derived[Name]> }[Route], true>>,
];
