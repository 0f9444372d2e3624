import type { EmbeddedWorkspace } from '@svc/contract';

/**
 * For each operation with `expand`, the names that it accepts and the field that each adds to an item.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export interface Expansions {
  listOrganizations: {
    /** The workspaces of the organization that the caller can access. */
    workspaces: EmbeddedWorkspace[];
  };
}

/**
 * The names that an operation's `expand` accepts. `undefined` and an empty array expand nothing.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export type ExpandOf<Operation extends keyof Expansions> = readonly (keyof Expansions[Operation])[] | undefined;

/**
 * An item as this `expand` returns it. Fields that are named are present, fields that may be named are optional, and the
 * others are absent.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export type Expanded<Item, Fields, Names extends readonly PropertyKey[] | undefined> =
  // An optional dynamic array says no more than a dynamic array, so treat both alike.
  undefined extends Names
    ? number extends NonNullable<Names>['length']
      ? WithFields<Item, Fields, NonNullable<Names>>
      : WithFields<Item, Fields, Names>
    : WithFields<Item, Fields, Names>;

/** Distributes over a union, so that a conditional `expand` returns a union. */
type WithFields<Item, Fields, Names> = Names extends readonly PropertyKey[]
  ? [Names[number]] extends [never]
    ? Item
    : Item &
          Pick<Fields, Named<Names> & keyof Fields> &
          Partial<Pick<Fields, Exclude<Names[number], Named<Names>> & keyof Fields>> extends infer All
      ? // Merges the fields into one unnamed type, so that editors show the fields and not the name of a type.
        { [Name in keyof All]: All[Name] }
      : never
  : Item;

/** The names that are certain to be in the array: single literals at fixed positions. */
type Named<Names extends readonly PropertyKey[]> = Names extends readonly [
  infer Head extends PropertyKey,
  ...infer Rest extends readonly PropertyKey[],
]
  ? One<Head> | Named<Rest>
  : never;

/** `Name` if it is a single literal, `never` if it is a union. */
type One<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? Name : never) : never;
