import type { JsonValue } from '../src/index.ts';

/** Every optional field may be left out or undefined, because they are the same in JSON. */
type Loose<Value> =
  IsAnyJson<Value> extends true
    ? Value
    : Value extends object
      ? { [Key in keyof Value]: Loose<Value[Key]> | Extract<Value[Key], undefined> }
      : Value;

/** Every optional field is required: a type that lacks one differs from a type that has it. */
type Whole<Value> =
  IsAnyJson<Value> extends true
    ? Value
    : Value extends string
      ? Value
      : Value extends object
        ? { [Key in keyof Value]-?: Whole<Exclude<Value[Key], undefined>> }
        : Value;

/** Any JSON value refers to itself, so nothing can look through all of it. */
type IsAnyJson<Value> = [JsonValue] extends [Value] ? true : false;

type IsSame<Schema, Type> = [Schema, Type, Whole<Schema>, Whole<Type>] extends [
  Type,
  Loose<Schema>,
  Whole<Type>,
  Whole<Schema>,
]
  ? true
  : false;

/** The names whose schema and interface differ. */
export type Differing<Schemas, Types> = {
  [Name in keyof Schemas & keyof Types]: IsSame<Schemas[Name], Types[Name]> extends true ? never : Name;
}[keyof Schemas & keyof Types];
