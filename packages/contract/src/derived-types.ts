import type { Bodies, BodyName, Queries, QueryName, Responses } from './operation-types.ts';
import type { operations } from './operations.ts';

type Table = typeof operations;

/** The response of an operation on success. */
export type ResponseOf<Name extends keyof Table> = Responses[Table[Name]['response']];

/** The query of an operation, or `undefined` if the operation has no query. */
export type QueryOf<Name extends keyof Table> = Table[Name]['query'] extends QueryName
  ? Queries[Table[Name]['query']]
  : undefined;

/** The body of an operation, or `undefined` if the operation has no body. */
export type BodyOf<Name extends keyof Table> = Table[Name]['body'] extends BodyName
  ? Bodies[Table[Name]['body']]
  : undefined;

/** The names of the parameters in an operation's path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** The name of a parameter in the path of any operation. */
export type ParameterName = PathParameters<Table[keyof Table]['path']>;

/** The paths of all string fields in a value, for example `endpoint.id`. */
type Places<Value> = {
  [Key in keyof Value & string]: Value[Key] extends string
    ? Key
    : Value[Key] extends unknown[]
      ? never
      : `${Key}.${Places<Value[Key]>}`;
}[keyof Value & string];

/** The places in a call that can contain an id: the path parameters, and the strings in the response. */
export type PlacesOf<Path extends string, Response> = PathParameters<Path> | Places<Response>;
