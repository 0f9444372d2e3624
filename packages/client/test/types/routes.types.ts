import type { AnswerOf, BodyOf, ID_PREFIXES, IdKind, OperationName, operations, QueryOf } from '@svc/contract';
import type { IdPrefix, Route, RouteAnswers, RouteBodies, RouteQueries } from '../../src/index.ts';
import type { Equal, Expect } from './assert.ts';

type Table = typeof operations;
type RouteOf<Name extends OperationName> = `${Table[Name]['method']} ${Table[Name]['path']}`;
type Derived = { [Name in OperationName as RouteOf<Name>]: AnswerOf<Name> };
type DerivedBodies = { [Name in OperationName as BodyOf<Name> extends object ? RouteOf<Name> : never]: BodyOf<Name> };
type DerivedQueries = {
  [Name in OperationName as QueryOf<Name> extends object ? RouteOf<Name> : never]: QueryOf<Name>;
};

// `request` and the mock transport have types for the contract's routes, each with its answer, body and query.
export type Routes = [
  Expect<Equal<Route, keyof Derived>>,
  Expect<Equal<{ [Name in Route]: Equal<RouteAnswers[Name], Derived[Name]> }[Route], true>>,
  Expect<Equal<RouteBodies, DerivedBodies>>,
  Expect<Equal<RouteQueries, DerivedQueries>>,
];

// The kinds of id are those of the contract.
export type Kinds = [Expect<Equal<`${IdPrefix}_`, (typeof ID_PREFIXES)[IdKind]>>];
