import type { EmbeddedWorkspace } from '@svc/contract';

/**
 * The names that each operation's `expand` accepts, and the field that each name adds to an item.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export interface Expansions {
  listOrganizations: {
    /** The organization's workspaces that the caller can access. */
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
 * An item with the fields that `expand` adds. A field is required if `expand` certainly names it, optional if `expand`
 * may name it, and otherwise absent.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export type Expanded<Item, Fields, Names extends readonly PropertyKey[] | undefined> =
  // With an array of unknown length, all fields are optional already, so ignore `undefined`.
  undefined extends Names
    ? number extends NonNullable<Names>['length']
      ? WithFields<Item, Fields, NonNullable<Names>>
      : WithFields<Item, Fields, Names>
    : WithFields<Item, Fields, Names>;

/** Distributes over a union: if the type of `expand` is a union, the type of the item is a union too. */
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

/** The names that are certainly in the array: the elements at fixed positions whose type is a single literal. */
type Named<Names extends readonly PropertyKey[]> = Names extends readonly [
  infer Head extends PropertyKey,
  ...infer Rest extends readonly PropertyKey[],
]
  ? One<Head> | Named<Rest>
  : never;

/** `Name` if `Name` is a single literal, `never` if `Name` is a union. */
type One<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? Name : never) : never;
